import { rules } from '../../context.ts';
import { invalid, rejected } from '../../kernel/failure.ts';
import { faultInNonProxyHosts } from '../../protocols/outbound/proxy-choice.ts';
import { proxySettings } from './proxy-settings.ts';

export const proxySettingsRules = rules(proxySettings, {
  beforeSave(step) {
    const { before, after, sent: requestBody } = step;
    const fault = faultInNonProxyHosts(requestBody.httpNonProxyHosts ?? '');
    if (fault) throw invalid([{ pointer: '/httpNonProxyHosts', message: `httpNonProxyHosts: ${fault}` }]);
    for (const scheme of ['http', 'https'] as const) {
      const [host, port] = [`${scheme}ProxyHost`, `${scheme}ProxyPort`] as const;
      if (after[host] !== '' && after[port] === 0)
        throw rejected(`${port}: a proxy needs a port; set it, or leave ${host} empty.`, `/${port}`);
      // Deletes the password with the proxy, because it could not be used any more.
      const password = `${scheme}ProxyPassword` as const;
      if (after[host] === '' && before?.[host] !== '' && typeof requestBody[password] !== 'string')
        step.sent = { ...step.sent, [password]: '' };
    }
  },
});
