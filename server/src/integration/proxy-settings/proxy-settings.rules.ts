import { rules } from '../../context.ts';
import { invalid, rejected } from '../../kernel/failure.ts';
import { faultInNonProxyHosts } from '../../protocols/outbound/proxy-choice.ts';
import { proxySettings } from './proxy-settings.ts';

export const proxySettingsRules = rules(proxySettings, {
  beforeSave(step) {
    const { before, after, sent } = step;
    const fault = faultInNonProxyHosts(sent.httpNonProxyHosts ?? '');
    if (fault) throw invalid([{ pointer: '/httpNonProxyHosts', message: `httpNonProxyHosts: ${fault}` }]);
    for (const scheme of ['http', 'https'] as const) {
      const [host, port] = [`${scheme}ProxyHost`, `${scheme}ProxyPort`] as const;
      if (after[host] !== '' && after[port] === 0)
        throw rejected(`${port}: a proxy needs a port; set it, or leave ${host} empty.`, `/${port}`);
      // Without a proxy there is nothing that the password could be sent to.
      const password = `${scheme}ProxyPassword` as const;
      if (after[host] === '' && before?.[host] !== '' && typeof sent[password] !== 'string')
        step.sent = { ...step.sent, [password]: '' };
    }
  },
});
