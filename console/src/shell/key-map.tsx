import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';
import { saveAttribute, singleKeysName } from '../client/session.ts';
import { useSession } from '../client/session-context.ts';
import { text } from '../texts/text.ts';
import { areSingleKeysOn, switchSingleKeys } from './keys.ts';

/** The dialog with all keyboard shortcuts. */
export function KeyMap({ onClose }: { onClose(): void }) {
  const session = useSession();
  const [isOn, setOn] = useState(areSingleKeysOn);
  const switchKeys = (isEnabled: boolean) => {
    setOn(isEnabled);
    switchSingleKeys(isEnabled);
    saveAttribute(session, singleKeysName, isEnabled);
  };
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="palette">
          <Dialog.Title className="palette-title">{text.keyMap.title}</Dialog.Title>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable */}
          <div className="key-map" tabIndex={0}>
            {text.keyMap.parts.map(([part, keys]) => (
              <section key={part}>
                <h3>{part}</h3>
                <dl>
                  {keys.map(([key, does]) => (
                    <div key={key}>
                      <dt>
                        {key.split(' ').map((keyName) => (
                          <kbd key={keyName}>{keyName}</kbd>
                        ))}
                      </dt>
                      <dd>{does}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
          <label className="key-switch">
            <input type="checkbox" checked={isOn} onChange={(event) => switchKeys(event.target.checked)} />
            <span>
              {text.keyMap.single}
              <span className="quiet"> {text.keyMap.singleHint}</span>
            </span>
          </label>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
