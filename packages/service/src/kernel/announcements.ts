/** Something moved. Coordination messages are hints of what to read again; run messages carry their events. */
export type Announcement = { type: string; subject?: string; data: object };

type Listener = (message: Announcement) => void;

/** The in-process feed of what the service announces: in order, to whoever listens now. */
export type Announcements = {
  announce(message: Announcement): void;
  /** Whether any listener wants this type. Ask before building a costly message. */
  wanted(type: string): boolean;
  /** `wants` is asked before something costly is announced; a listener without it wants everything. */
  listen(listener: Listener, wants?: (type: string) => boolean): () => void;
};

export function createAnnouncements(): Announcements {
  const listeners = new Map<Listener, (type: string) => boolean>();
  return {
    announce(message) {
      for (const listener of listeners.keys()) listener(message);
    },
    wanted(type) {
      for (const wants of listeners.values()) if (wants(type)) return true;
      return false;
    },
    listen(listener, wants = () => true) {
      listeners.set(listener, wants);
      return () => listeners.delete(listener);
    },
  };
}
