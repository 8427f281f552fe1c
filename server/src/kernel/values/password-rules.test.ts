import { describe, expect, test } from 'vitest';
import { passwordFault } from './password-rules.ts';

describe('passwordFault', () => {
  test.each([
    ['correct-horse-battery', 'alice'],
    ['a-password-of-her-own', 'alice'],
    ['alice and her 3 cats', 'alice'],
    ['Tr0ub4dor&3x', 'admin'],
    ['gehört uns beiden', 'admin'],
    ['vbnrtzuiopasd', 'admin'],
    ['summer in the city', 'admin'],
    ['Portreeve guards ward 3', 'admin'],
    ['anything-goes-here', ''],
  ])('accepts %j for %j', (password, userName) => {
    expect(passwordFault(password, userName)).toBeUndefined();
  });

  test.each([
    ['short-one', 'admin', 'has fewer than 10 characters'],
    ['x-1'.repeat(67), 'admin', 'has more than 200 characters'],
    ['aaaaaaaaaa', 'admin', 'has fewer than 4 different characters'],
    ['abcabcabcabc', 'admin', 'has fewer than 4 different characters'],
    ['1212121212', 'admin', 'has fewer than 4 different characters'],
    ['administrator-7', 'Administrator-7', 'is the user name'],
    ['MALLORY.EVANS', 'mallory.evans', 'is the user name'],
    ['mallory.evans2026', 'mallory.evans', 'is the user name'],
    ['snave.yrollam!', 'mallory.evans', 'is the user name'],
    ['malloryMALLORY1', 'mallory', 'is the user name'],
    ['Portreeve2026!', 'admin', 'is the name of this service'],
    ['1234567890', 'admin', 'is a sequence'],
    ['9876543210', 'admin', 'is a sequence'],
    ['QWERTYuiop', 'admin', 'is a sequence'],
    ['abcdefghijkl', 'admin', 'is a sequence'],
    ['Password123!', 'admin', 'is a common password'],
    ['Welcome2026', 'admin', 'is a common password'],
    ['!!letmein!!', 'admin', 'is a common password'],
    ['passwordpassword', 'admin', 'is a common password'],
    ['1q2w3e4r5t', 'admin', 'is a common password'],
    ['ｐａｓｓｗｏｒｄ２０２６', 'admin', 'is a common password'],
  ])('refuses %j for %j: it %s', (password, userName, fault) => {
    expect(passwordFault(password, userName)).toContain(fault);
  });
});
