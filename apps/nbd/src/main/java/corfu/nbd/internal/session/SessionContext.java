package corfu.nbd.internal.session;

import corfu.nbd.Exports;
import java.util.function.LongSupplier;

/**
 * The parts of its server that a session uses.
 *
 * @param exports the devices
 * @param tls the treatment of STARTTLS
 * @param bounds the bounds of a connection
 * @param budget the memory of all connections
 * @param nanoTime the clock
 * @param log receives what operators should know
 */
public record SessionContext(
    Exports exports,
    TlsNeed tls,
    SessionBounds bounds,
    MemoryBudget budget,
    LongSupplier nanoTime,
    SessionLog log) {}
