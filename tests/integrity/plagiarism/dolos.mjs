// The similarity of all pairs of programs that a JSON file lists, as Dolos calculates it.
import fs from "node:fs";
import { Dolos, File } from "@dodona/dolos-lib";

const programs = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const found = [];
for (const [name, left, right] of programs) {
  const files = [new File("left.py", left), new File("right.py", right)];
  const report = await new Dolos({ language: "python" }).analyze(files);
  found.push([name, report.allPairs()[0]?.similarity ?? 0]);
}
console.log(JSON.stringify(found));
