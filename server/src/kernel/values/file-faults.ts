const words: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EEXIST: 'it exists already and is not overwritten; use another name',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EISDIR: 'it is a folder',
  ESPIPE: 'it is a pipe, not a file',
  ENOTDIR: 'a part of its path is not a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
};

/** Returns what is wrong with a file, in words; for other errors, the message of the system. */
export const faultOfFile = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return words[code ?? ''] ?? message.replace(/\.$/, '');
};
