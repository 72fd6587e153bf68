package corfu.access.gate;

import corfu.protocol.Epoch;
import corfu.protocol.message.ViewRequest;
import corfu.protocol.stream.LocalEntries;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The parts of a server that help the gate to decide. All are called on the server's loop and must
 * not block.
 *
 * @param entries the streams of the server's own entries
 * @param changesNothing returns whether a call on a hosted view only reads; if it cannot tell,
 *     false
 * @param heardOf receives the epoch of a layout that a client wanted to install; the server asks
 *     the layout servers whether it has been decided
 * @param tail returns an address of the log that the server knows to be issued, the newest one if
 *     it can; {@link Long#MAX_VALUE} if clients may write as far ahead as they like
 * @param nanoTime the server's clock, in nanoseconds
 * @param random returns random numbers for secrets
 * @param sequencers the keys of the sequencers on other servers
 */
public record Surroundings(
    LocalEntries entries,
    Predicate<ViewRequest.Call> changesNothing,
    Consumer<Epoch> heardOf,
    LongSupplier tail,
    LongSupplier nanoTime,
    LongSupplier random,
    SequencerKeys sequencers) {

  /** Returns the surroundings of a server without a log unit and hosted views. */
  public static Surroundings of(LongSupplier nanoTime, LongSupplier random) {
    return new Surroundings(
        LocalEntries.NONE,
        call -> false,
        epoch -> {},
        () -> Long.MAX_VALUE,
        nanoTime,
        random,
        SequencerKeys.NONE);
  }
}
