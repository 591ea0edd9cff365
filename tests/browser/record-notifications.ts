/** Runs in a page: replaces the desktop's notifications and records them in `window.shown`. */
export const recordNotifications = `
  window.shown = [];
  window.Notification = class { static permission = 'granted'; static requestPermission = async () => 'granted';
    constructor(title, { body }) { window.shown.push(title + ' ' + body); } };`;
