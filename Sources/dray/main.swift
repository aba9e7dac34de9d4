// The program `dray`: everything it does is in DrayCommands.

import DrayCommands

DrayProgram.main()
