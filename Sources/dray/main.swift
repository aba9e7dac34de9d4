// The program `dray`: everything it does is in DrayCommands.

internal import DrayCommands

DrayProgram.main()
