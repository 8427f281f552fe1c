import { rules } from '../../context.ts';
import { invalid } from '../../kernel/failure.ts';
import { instantSql } from '../../kernel/values/time.ts';
import { mdmTlsUnverified } from './mdm-server.events.ts';
import { mdmServer } from './mdm-server.ts';

export const mdmServerRules = rules(mdmServer, {
  async beforeSave({ before, after }, { tx }) {
    // The pattern of the field checks the form; the parser also checks the port and the address.
    if (!URL.canParse(String(after.request)))
      throw invalid([{ pointer: '/request', message: 'request: expected a URL such as https://mdm.example.org/api.' }]);
    if (before) return;
    // Uses the clock of the database, like lastModifiedDate.
    const { rows } = await tx.client.query<{ at: string }>(`select ${instantSql('now()::timestamptz(3)')} as at`);
    after.createDate = rows[0]!.at;
  },

  async afterSave({ id, before, after }, { tx }) {
    if (after.sslVerifyCert || before?.sslVerifyCert === false) return;
    await tx.emit({
      type: mdmTlsUnverified,
      element: { id, name: String(after.name) },
      message: `sslVerifyCert was set to false by ${tx.origin.user}`,
    });
  },
});
