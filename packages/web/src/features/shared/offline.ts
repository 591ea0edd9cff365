import { useStore } from 'zustand';
import { connection } from '../../live/connection.ts';

/** True in an exported file: what it holds is all there is, and nothing can be done. */
export const useOffline = (): boolean => useStore(connection, ({ offline }) => offline);
