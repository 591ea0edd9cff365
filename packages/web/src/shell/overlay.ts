import { createStore } from 'zustand/vanilla';

/** Which overlay of the shell is open. */
export const overlay = createStore<{ open: 'palette' | 'shortcuts' | 'changes' | 'menu' | null }>(() => ({
  open: null,
}));
export const openPalette = (): void => overlay.setState({ open: 'palette' });
export const openShortcuts = (): void => overlay.setState({ open: 'shortcuts' });
export const openRecentChanges = (): void => overlay.setState({ open: 'changes' });
export const openMenu = (): void => overlay.setState({ open: 'menu' });
export const closeOverlay = (): void => overlay.setState({ open: null });
