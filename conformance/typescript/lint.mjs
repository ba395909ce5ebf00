// Lints the descriptions of both interfaces by the recommended rules of Redocly. Prints what
// it finds, and ends with 1 for errors.
import { createConfig, formatProblems, getTotals, lint } from '@redocly/openapi-core'

const config = await createConfig({ extends: ['recommended'] })
let errors = 0
for (const ref of ['../../api/openapi.yaml', '../../practicetest/control.yaml']) {
  const problems = await lint({ ref, config })
  const totals = getTotals(problems)
  errors += totals.errors
  formatProblems(problems.filter((problem) => problem.severity === 'error'), { totals, format: 'stylish' })
  console.log(`${ref}: ${totals.errors} errors, ${totals.warnings} warnings`)
}
process.exitCode = errors === 0 ? 0 : 1
