/** Run in a page: instead of the desktop's notifications it keeps what would have been shown, in `window.shown`. */
export const recordNotifications = `
  window.shown = [];
  window.Notification = class { static permission = 'granted'; static requestPermission = async () => 'granted';
    constructor(title, { body }) { window.shown.push(title + ' ' + body); } };`;
