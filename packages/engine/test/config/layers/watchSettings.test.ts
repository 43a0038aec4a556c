import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { watchSettings } from "../../../src/config/layers/watchSettings.ts";
import { PROJECT_FILE, USER_FILE, workspace } from "../workspace.ts";

async function watched(files: Readonly<Record<string, unknown>>, paths: readonly string[]) {
  const space = await workspace(files);
  const onChange = vi.fn();
  const watcher = watchSettings(
    paths.map((path) => join(space.dir, path)),
    onChange,
  );
  onTestFinished(() => watcher.close());
  /** Does something, and waits until it has been noticed. */
  const notices = async (change: () => Promise<unknown>) => {
    onChange.mockClear();
    await change();
    await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), { timeout: 5_000 });
    await settled();
  };
  return { ...space, onChange, watcher, notices };
}

/** Long enough for whatever is under way to be noticed. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 400));

test("a file that appears, changes, is replaced and goes is noticed every time", async () => {
  const { dir, write, notices } = await watched({}, [PROJECT_FILE]);
  await notices(() => write({ [PROJECT_FILE]: "{}" }));
  await notices(() => write({ [PROJECT_FILE]: "{ }" }));
  await notices(async () => {
    await write({ "project/.hookline/new.json": "{  }" });
    await rename(join(dir, "project/.hookline/new.json"), join(dir, PROJECT_FILE));
  });
  await notices(() => rm(join(dir, PROJECT_FILE)));
});

test("a folder that is deleted and made again is still watched", async () => {
  const { dir, write, notices } = await watched({ [PROJECT_FILE]: "{}" }, [PROJECT_FILE]);
  await notices(() => rm(join(dir, "project"), { recursive: true }));
  await notices(() => write({ [PROJECT_FILE]: "{ }" }));
  await notices(async () => {
    await rm(join(dir, "project/.hookline"), { recursive: true });
    await write({ [PROJECT_FILE]: "{ back at once }" });
  });
  await notices(() => write({ [PROJECT_FILE]: "{ and still watched }" }));
});

test("files in a watched folder count, and so does the folder itself", async () => {
  const { dir, write, notices } = await watched({}, ["project/.system/hooks"]);
  await notices(() => mkdir(join(dir, "project/.system/hooks"), { recursive: true }));
  await notices(() => write({ "project/.system/hooks/a.yaml": "id: a" }));
  await notices(() => write({ "project/.system/hooks/a.yaml": "id: ab" }));
});

test("a change behind a link is noticed", async () => {
  const { dir, write, notices } = await watched({ "dotfiles/settings.json": "{}" }, [USER_FILE]);
  await notices(async () => {
    await mkdir(join(dir, "home/.hookline"), { recursive: true });
    await symlink(join(dir, "dotfiles/settings.json"), join(dir, USER_FILE));
  });
  await notices(() => write({ "dotfiles/settings.json": "{ }" }));
});

test("a burst of writes is one change, and other files are none", async () => {
  const { dir, write, notices, onChange } = await watched({ [PROJECT_FILE]: "{}" }, [PROJECT_FILE]);
  await notices(async () => {
    for (let n = 1; n <= 5; n++) await writeFile(join(dir, PROJECT_FILE), " ".repeat(n));
  });
  expect(onChange).toHaveBeenCalledTimes(1);
  onChange.mockClear();
  await write({ "project/.hookline/notes.txt": "x", "project/main.ts": "x" });
  await settled();
  expect(onChange).not.toHaveBeenCalled();
});

test("after close nothing is called, and closing twice is fine", async () => {
  const { write, watcher, onChange } = await watched({}, [PROJECT_FILE]);
  watcher.close();
  watcher.close();
  await write({ [PROJECT_FILE]: "{}" });
  await settled();
  expect(onChange).not.toHaveBeenCalled();
});

test("paths that cannot be watched are no error", () => {
  const watcher = watchSettings(["/proc/self/nope/x", "/dev/null/x", "\0"], () => undefined);
  watcher.close();
});
