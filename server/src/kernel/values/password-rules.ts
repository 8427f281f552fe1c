/** Lengths of a password that a person chooses, in characters. */
export const passwordLength = { min: 10, max: 200 } as const;

const distinctMin = 4;

/** Maximum number of digits and punctuation marks around a word that do not make it a good password. */
const paddingMax = 6;

/** Words at the core of the passwords that are guessed first: alone, or with digits and punctuation around them. */
const commonWords: ReadonlySet<string> = new Set(
  `abc abcd access admin administrator adminadmin alpha apple asdf asdfgh august autumn bailey baseball basketball batman changeit
  changeme charlie cisco company computer cookie daniel december default dragon fall family february flower football freedom
  gateway ginger guest hannah hello helloworld hockey hunter iloveu iloveyou internet january jennifer jessica jordan july
  june letmein liverpool login lovely manager march master matrix maverick michael michelle microsoft monkey mustang network
  nicole november october p@ssw0rd p@ssword pa55word pass passpass passw0rd password passwordpassword passwort princess purple
  qazwsx qwer qwerty qwertz radius ranger root samsung secret security september server service shadow spring starwars summer
  sunshine super superman superuser supervisor support switch sysadmin system temp temporary test tester testtest thomas tigger
  trustno trustnoone user vlan welcome whatever wifi windows winter wireless yankees zaq xsw`.split(/\s+/),
);

/** Common passwords without such a word, most of them keyboard patterns. */
const commonPasswords: ReadonlySet<string> = new Set(
  `1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 1qaz@wsx3edc 1qazxsw23edc q1w2e3r4t5 q1w2e3r4t5y6 qwe123asd456 qwer1234asdf zaq12wsxcde3
  zaq1xsw2cde3 147258369 1472583690 3rjs1la7qe a1b2c3d4e5 a1b2c3d4e5f6 correcthorsebatterystaple`.split(/\s+/),
);

const rows = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
];
const runs = rows.flatMap((row) => [row, [...row].reverse().join('')]);

/** The name of this service, which is not accepted as a password either. */
const serviceName = 'portreeve';

/**
 * Returns why a password must not be used for an account, as the end of a sentence ("has fewer than 10 characters"); undefined if it may.
 * After NIST SP 800-63B, 3.1.1.2: length, and no password that an attacker tries first; no rules about kinds of characters.
 */
export function passwordFault(password: string, userName: string): string | undefined {
  const text = password.normalize('NFKC').toLowerCase();
  if (password.length < passwordLength.min) return `has fewer than ${passwordLength.min} characters`;
  if (password.length > passwordLength.max) return `has more than ${passwordLength.max} characters`;
  if (new Set(text).size < distinctMin) return `has fewer than ${distinctMin} different characters`;
  if (isMadeOf(text, userName.normalize('NFKC').toLowerCase())) return 'is the user name, with little or nothing added';
  if (isMadeOf(text, serviceName)) return 'is the name of this service, with little or nothing added';
  if (runs.some((run) => run.includes(text))) return 'is a sequence of neighbouring characters';
  if (commonPasswords.has(text) || isCommonWord(text)) return 'is a common password';
  return undefined;
}

/** True if the text is the name, repeated or reversed, with nothing but some digits and punctuation around it. */
function isMadeOf(text: string, name: string): boolean {
  if (name === '') return false;
  const reversed = [...name].reverse().join('');
  return [name, reversed].some((word) => text.includes(word) && isPadding(text.replaceAll(word, '')));
}

const isPadding = (text: string): boolean => text.length <= paddingMax && !/\p{Letter}/u.test(text);

/** True if the text is a common word with nothing but some digits and punctuation around it. */
function isCommonWord(text: string): boolean {
  if (commonWords.has(text)) return true;
  const word = text.replace(/^[^\p{Letter}]+|[^\p{Letter}]+$/gu, '');
  return commonWords.has(word) && text.length - word.length <= paddingMax;
}
