package corfu.runtime;

import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The one shared log of a cluster (CORFU, section 3). Linearizable: once an append has returned, or
 * a read has returned an entry, every later read by anybody returns the same, until it is trimmed.
 *
 * <p>The appends of one client get ascending addresses in the order in which it made them, except
 * where one has to take another address than its first: because its writer was so slow that a
 * reader filled the first, or because the layout changed meanwhile. Who depends on the order waits
 * for one append before the next.
 *
 * <p>Thread-safe. Blocking calls may be made from any thread, virtual ones included; the
 * asynchronous ones differ only in that they return at once, except while too much is in flight
 * already: then they wait for room. Every call and every future ends within the operation timeout
 * of {@link CorfuOptions}, with its result or one of these:
 *
 * <ul>
 *   <li>{@link EntryTooLargeException}: refused before anything was sent;
 *   <li>{@link NoSpaceException}: a log unit's disk is full; nothing was appended;
 *   <li>{@link AppendOutcomeUnknownException}: the append may have happened, or may still happen,
 *       at the address that it names;
 *   <li>{@link UnavailableException}: servers that are needed did not answer; nothing was appended;
 *   <li>{@link CorruptEntryException}: no replica can read the entry any more;
 *   <li>{@link BeyondTailException}: a trim or a fill named an address for which no token has been
 *       issued yet; nothing was changed.
 * </ul>
 *
 * The futures complete exceptionally with the same ones.
 */
public interface Log {

  /**
   * Appends an entry.
   *
   * @param payload what to append; it must not change until the call has returned
   * @return where it is now, durable on all its replicas
   */
  Address append(ByteBuffer payload);

  /** Appends an entry; see {@link #append(ByteBuffer)}. */
  default Address append(byte[] payload) {
    return append(ByteBuffer.wrap(payload));
  }

  /** Appends an entry without waiting; {@code payload} must not change until the future is done. */
  CompletableFuture<Address> appendAsync(ByteBuffer payload);

  /** Appends an entry without waiting; {@code payload} must not change until the future is done. */
  default CompletableFuture<Address> appendAsync(byte[] payload) {
    return appendAsync(ByteBuffer.wrap(payload));
  }

  /**
   * Reads one address. Below the tail this never returns {@link LogEntry.Unwritten}: what a writer
   * left half done is completed, and what it left undone for longer than the hole timeout is
   * filled.
   */
  LogEntry read(Address address);

  CompletableFuture<LogEntry> readAsync(Address address);

  /**
   * Reads all addresses from {@code from} up to, not including, {@code to}, in that order. All of
   * them are held in memory: read a long log in pieces. A long range gets the operation timeout
   * again for each 32,768 addresses.
   */
  List<LogEntry> read(Address from, Address to);

  /** Reads these addresses, in their order. */
  List<LogEntry> read(List<Address> addresses);

  /**
   * The address behind the last one that anybody has been given: every completed append is below
   * it.
   */
  Address tail();

  CompletableFuture<Address> tailAsync();

  /** Gives up one address below the tail for ever; its space is given back. */
  void trim(Address address);

  /**
   * Gives up everything below {@code before} for ever; its space is given back.
   *
   * @param before the tail at most
   */
  void prefixTrim(Address before);

  /**
   * Makes sure that the address is decided: completes what is there, or leaves a hole.
   *
   * @param address an address below the tail
   * @return what the address holds now
   */
  LogEntry fill(Address address);
}
