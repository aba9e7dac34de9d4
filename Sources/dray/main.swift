// The program `dray`: everything it does is in DrayCommands.

import DrayCommands

await DrayProgram.main()
