import { chosenFiles, moments, runAt, testFiles } from '@portreeve/server/test/trials/clocks.ts';
import { flag, refuse, text } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { needCompiler } from '../need-compiler.ts';

const usage = 'npm run trial -- clocks';

export const trial = defineTrial({
  doc: 'Fast and long tests with PostgreSQL and Node at awkward moments: midnight, new year, leap day, summer time, an old template.',
  options: {
    only: text('', 'the moments whose name contains this'),
    files: text('', 'the test files whose path contains this, or one of these with commas between'),
    whole: flag('every fast and long test in full, not only those that reckon with time'),
  },
  async run({ only, files: pattern, whole }) {
    const chosen = moments().filter(({ name }) => name.includes(only));
    if (chosen.length === 0)
      refuse(
        { usage },
        `There is no moment "${only}", only ${moments()
          .map(({ name }) => name)
          .join(', ')}.`,
      );
    await needCompiler();
    const environment = { ...process.env, ...(!whole && { PORTREEVE_TEST_QUICKLY: 'yes' }) };
    const all = await testFiles(environment);
    const files = whole && !pattern ? all : await chosenFiles(all, pattern.split(',').filter(Boolean));
    if (files.length === 0) refuse({ usage }, `No fast or long test has "${pattern}" in its path.`);
    let passed = 0;
    let failed = 0;
    for (const moment of chosen) {
      const outcome = await runAt(moment, files, environment);
      passed += outcome.passed;
      failed += outcome.failed.length;
      console.log(
        `${moment.name.padEnd(20)} ${moment.at} UTC, zone ${moment.zone.padEnd(16)} ${files.length} files in ${outcome.seconds.toFixed(0)} s: ${outcome.passed} passed, ${outcome.failed.length} failed`,
      );
      for (const name of outcome.failed) console.log(`  failed: ${name}`);
    }
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
  },
});
