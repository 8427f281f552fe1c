import { consoleDist, ensureConsole } from '@portreeve/console/build/build-console.ts';
import { takePictures } from '@portreeve/console/build/pictures.ts';
import { openWorld } from '@portreeve/server/test/world/open-world.ts';
import { rightPassword } from '@portreeve/server/test/world/sign-in.ts';

/** Takes pictures of the demonstration at an address, and of an empty cell that it opens for them; returns their names. */
export async function consolePictures(url: string, folder: string): Promise<string[]> {
  await ensureConsole();
  const cell = await openWorld({ consoleFolder: consoleDist });
  try {
    const demonstration = { url, user: 'demo', password: 'portreeve-demo' };
    const ownUrl = await cell.service.app.listen({ host: '127.0.0.1', port: 0 });
    const empty = { url: ownUrl, user: 'system-administrator-1', password: rightPassword };
    return await takePictures({ demonstration, empty }, folder);
  } finally {
    await cell.close();
  }
}
