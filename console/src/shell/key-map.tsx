import { Dialog } from '@base-ui/react/dialog';
import { text } from '../texts/text.ts';

/** Every key of the console. */
export function KeyMap({ onClose }: { onClose(): void }) {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="palette">
          <Dialog.Title className="palette-title">{text.keyMap.title}</Dialog.Title>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
          <div className="key-map" tabIndex={0}>
            {text.keyMap.parts.map(([part, keys]) => (
              <section key={part}>
                <h3>{part}</h3>
                <dl>
                  {keys.map(([key, does]) => (
                    <div key={key}>
                      <dt>
                        {key.split(' ').map((each) => (
                          <kbd key={each}>{each}</kbd>
                        ))}
                      </dt>
                      <dd>{does}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
