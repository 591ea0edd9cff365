/** Something moved. Coordination messages are hints of what to read again; run messages carry their events. */
export type Announcement = { type: string; subject?: string; data: object };

/** The in-process feed of what the service announces: in order, to whoever listens now. */
export type Announcements = {
  announce(message: Announcement): void;
  listen(listener: (message: Announcement) => void): () => void;
};

export function createAnnouncements(): Announcements {
  const listeners = new Set<(message: Announcement) => void>();
  return {
    announce(message) {
      for (const listener of listeners) listener(message);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
