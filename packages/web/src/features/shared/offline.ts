import { useStore } from 'zustand';
import { connection } from '../../live/connection.ts';

/** True in an exported file: it shows only what it contains, and offers no actions. */
export const useOffline = (): boolean => useStore(connection, ({ offline }) => offline);
