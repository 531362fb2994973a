// Reads the JSON that the page carries and shows it. The page computes nothing: every number is a field of the JSON.
import "./theme.css";
import "./style.css";
import "./drawing.css";
import "./print.css";
import { el, replace } from "./dom";
import { startLive } from "./live/live";
import { showExplanation } from "./page";
import { showStudy } from "./study";
import { themeButton } from "./theme";

const root = document.getElementById("page")!;
const data = JSON.parse(document.getElementById("data")!.textContent ?? "null");
const kind = String(data?.schema ?? "");
try {
    if (kind.startsWith("cax/explanation/")) showExplanation(root, data);
    else if (kind.startsWith("cax/live/")) void startLive(root);
    else if (kind.startsWith("cax/study/")) showStudy(root, data);
    else replace(root, el("p", {}, `This page shows explanations and studies; its data is "${kind}".`));
} catch (error) {
    // Results of other versions may lack what is drawn here: say so rather than stay blank.
    replace(root, el("p", {}, `This page cannot show its data (${kind}): ${String(error)}.`));
}
document.body.append(themeButton());
