import { rules } from '../../context.ts';
import { invalid, rejected } from '../../kernel/failure.ts';
import { faultInNonProxyHosts } from '../../protocols/outbound/proxy-choice.ts';
import { proxySettings } from './proxy-settings.ts';

export const proxySettingsRules = rules(proxySettings, {
  beforeSave({ after, sent }) {
    for (const field of ['httpNonProxyHosts', 'ftpNonProxyHosts'] as const) {
      if (typeof sent[field] !== 'string') continue;
      const fault = faultInNonProxyHosts(sent[field]);
      if (fault) throw invalid([{ pointer: `/${field}`, message: `${field}: ${fault}` }]);
    }
    for (const scheme of ['http', 'https', 'ftp'] as const) {
      const [host, port] = [`${scheme}ProxyHost`, `${scheme}ProxyPort`] as const;
      if (after[host] !== '' && after[port] === 0)
        throw rejected(`${port}: a proxy needs a port; set it, or leave ${host} empty.`, `/${port}`);
    }
  },
});
