// Decides constraint models with Google's CP-SAT. One model per line on standard input, one answer per line on standard
// output, in order:
//
//   {"variables": [[low, high], ...], "rules": [{"kind": "linear" | "values" | ..., ...}]}
//   {"status": "satisfiable", "assignment": [...]} | {"status": "unsatisfiable" | "unknown"}
import { createInterface } from 'node:readline';
import { CpModel, CpSolver } from 'or-tools-wasm/cp-sat';

class Reader {
    constructor({ variables, rules }) {
        this.model = new CpModel();
        this.bounds = variables;
        this.isFlag = variables.map(([low, high]) => low >= 0 && high <= 1);
        this.x = variables.map(([low, high], v) =>
            this.isFlag[v] ? this.model.newBoolVar(`x${v}`) : this.model.newIntVar(low, high, `x${v}`));
        variables.forEach(([low, high], v) => {
            if (this.isFlag[v]) this.model.addLinearConstraint(this.x[v], low, high);
        });
        this.equalities = new Map();
        for (const rule of rules) this[rule.kind](rule);
    }

    // A literal that is true if and only if the variable has the value.
    equals(v, value) {
        const key = `${v}=${value}`;
        if (!this.equalities.has(key)) {
            const literal = this.model.newBoolVar(key);
            const [low, high] = this.bounds[v];
            if (value < low || value > high) {
                this.model.addLinearConstraint(literal, 0, 0);
            } else {
                this.model.addLinearConstraint(this.x[v], value, value).onlyEnforceIf(literal);
                const others = [];
                if (low < value) others.push(low, value - 1);
                if (value < high) others.push(value + 1, high);
                if (others.length === 0) this.model.addLinearConstraint(literal, 1, 1);
                else this.model.addLinearConstraint(this.x[v], low, high, others).onlyEnforceIf(literal.not());
            }
            this.equalities.set(key, literal);
        }
        return this.equalities.get(key);
    }
    list(variables) {
        return variables.map((v) => this.x[v]);
    }

    linear({ variables, coefficients, low, high, condition }) {
        const zero = this.model.newConstant(0);
        const sum = variables.reduce((all, v, i) => all.plus(this.x[v].times(coefficients[i])), zero.times(1));
        const constraint = this.model.addLinearConstraint(sum, low, high);
        if (condition !== undefined) constraint.onlyEnforceIf(this.x[condition]);
    }
    values({ variable, values }) {
        this.model.addAllowedAssignments([this.x[variable]], values.map((value) => [value]));
    }
    indicator({ flag, variable, value }) {
        this.model.addEquality(this.x[flag], this.equals(variable, value));
    }
    table({ index, table, result }) {
        this.model.addElement(this.x[index], table, this.x[result]);
    }
    element({ index, variables, result }) {
        this.model.addElement(this.x[index], this.list(variables), this.x[result]);
    }
    circuit({ successor, predecessor }) {
        const arcs = [];
        for (const from of successor.keys()) {
            for (const to of successor.keys()) {
                // An arc to oneself would mean "left out" to CP-SAT: here nobody is.
                if (from === to) this.model.addLinearConstraint(this.equals(successor[from], to), 0, 0);
                else arcs.push([from, to, this.equals(successor[from], to)]);
                this.model.addEquality(this.equals(successor[from], to), this.equals(predecessor[to], from));
            }
        }
        this.model.addCircuit(arcs);
        for (const v of [...successor, ...predecessor]) {
            this.model.addExactlyOne([...successor.keys()].map((place) => this.equals(v, place)));
        }
    }
    bins({ bins, sizes, loads }) {
        const zero = this.model.newConstant(0);
        loads.forEach((load, b) => {
            const sum = bins.reduce((all, v, i) => all.plus(this.equals(v, b).times(sizes[i])), zero.times(1));
            this.model.addEquality(sum, this.x[load]);
        });
        for (const v of bins) this.model.addExactlyOne(loads.map((_, b) => this.equals(v, b)));
    }
    machine({ tasks }) {
        this.model.addNoOverlap(tasks.filter((task) => task.duration > 0).map(({ start, duration, presence }) =>
            presence === undefined
                ? this.model.newFixedSizeIntervalVar(this.x[start], duration)
                : this.model.newOptionalFixedSizeIntervalVar(this.x[start], duration, this.x[presence])));
    }
}

for await (const line of createInterface({ input: process.stdin })) {
    const reader = new Reader(JSON.parse(line));
    const solver = new CpSolver();
    const outcome = solver.statusName(
        await solver.solve(reader.model, { numSearchWorkers: 1, maxDeterministicTime: 1 }));
    const known = { OPTIMAL: 'satisfiable', FEASIBLE: 'satisfiable', INFEASIBLE: 'unsatisfiable' };
    const status = known[outcome] ?? 'unknown';
    const assignment = status === 'satisfiable' ? reader.x.map((x) => Number(solver.value(x))) : undefined;
    process.stdout.write(JSON.stringify({ status, assignment }) + '\n');
}
process.exit(0);
