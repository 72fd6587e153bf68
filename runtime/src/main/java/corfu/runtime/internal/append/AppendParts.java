package corfu.runtime.internal.append;

import corfu.runtime.internal.repair.ChainRepair;
import corfu.runtime.internal.session.ClientContext;
import corfu.runtime.internal.token.DeadRun;
import corfu.runtime.internal.token.Tokens;

/**
 * The parts of a client that a batch of appends uses.
 *
 * @param inFlight the registry of in-flight appends to streams and their addresses
 */
public record AppendParts(
    ClientContext context,
    Tokens tokens,
    DeadRun deadRun,
    ChainRepair chainRepair,
    InFlightAppends inFlight) {}
