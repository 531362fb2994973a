// Solves linear programs with Google's GLOP. One program per line on standard input, one answer per line on standard
// output, in order:
//
//   {"maximise": bool, "objective": [...], "lower": [...], "upper": [...],
//    "rows": [{"lower": l, "upper": u, "columns": [...], "values": [...]}]}          null = no bound
//   {"status": "optimal" | "infeasible" | "unbounded" | ..., "objective": number}
import { createInterface } from 'node:readline';
import { MPSolver, initMPSolver } from 'or-tools-wasm/mp-solver';

// Names of the protocol buffers MPModelRequest and MPSolutionResponse, in camel case.
const GLOP = 2; // MPModelRequest.SolverType.GLOP_LINEAR_PROGRAMMING

const low = (bound) => bound ?? -Infinity;
const high = (bound) => bound ?? Infinity;

function request(program) {
    return {
        solverType: GLOP,
        model: {
            maximize: program.maximise,
            variable: program.objective.map((objective, j) => ({
                lowerBound: low(program.lower[j]),
                upperBound: high(program.upper[j]),
                objectiveCoefficient: objective,
            })),
            constraint: program.rows.map((row) => ({
                lowerBound: low(row.lower),
                upperBound: high(row.upper),
                varIndex: row.columns,
                coefficient: row.values,
            })),
        },
    };
}

await initMPSolver();
for await (const line of createInterface({ input: process.stdin })) {
    const { response } = await MPSolver.solveModelRequest(request(JSON.parse(line)));
    const status = response.status.replace('MPSOLVER_', '').toLowerCase();
    process.stdout.write(JSON.stringify({ status, objective: response.objectiveValue }) + '\n');
}
process.exit(0);
