/** Every text of the console that is not a text of the service. */
export const en = {
  product: 'Portreeve',
  retry: 'Try again',
  request: (id: string) => `Request ${id}`,
  door: {
    title: 'Sign in',
    user: 'User',
    password: 'Password',
    show: 'Show password',
    submit: 'Sign in',
    busy: 'Signing in …',
    ended: 'Your session has ended. Sign in to go on where you were.',
    goesOn: (page: string) => `You will go on to ${page}.`,
  },
  newPassword: {
    title: 'Choose a new password',
    why: 'Your password was set by somebody else. Choose one that only you know.',
    current: 'Current password',
    next: 'New password',
    hint: 'At least 10 characters.',
    submit: 'Change password',
  },
  frame: {
    menu: 'Menu',
    openMenu: 'Open the menu',
    closeMenu: 'Close the menu',
    light: 'Light theme',
    dark: 'Dark theme',
    signOut: 'Sign out',
    skip: 'Skip to the page',
    changePassword: 'Change password',
  },
  nothingOpen: {
    title: 'No page is open to you',
    why: 'Your admin profile gives you no right that opens a page. An administrator who may change admin profiles can add one. If you were told to change your password, change it first.',
  },
  noSuchPage: {
    title: 'There is no such page',
    why: 'Nothing stands at this address, or you may not view it. The menu has every page that is open to you.',
  },
  failed: 'This could not be loaded',
} as const;
