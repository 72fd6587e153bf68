package corfu.runtime.internal.read;

import corfu.runtime.internal.repair.BulkFill;
import corfu.runtime.internal.repair.ChainRepair;
import corfu.runtime.internal.session.ClientContext;
import corfu.runtime.internal.token.Tokens;

/** The parts of a client that reads use. */
public record ReadParts(
    ClientContext context,
    Tokens tokens,
    ChainRepair chainRepair,
    BulkFill bulkFill,
    SlowReads slowReads,
    EntrySize entrySize) {}
