package corfu.runtime;

/** The parts of a client that reads use. */
record ReadParts(
    ClientContext context,
    Tokens tokens,
    Completion completion,
    BulkFill bulkFill,
    SlowReads slowReads,
    EntrySize entrySize) {}
