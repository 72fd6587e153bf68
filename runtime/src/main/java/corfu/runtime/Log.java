package corfu.runtime;

import corfu.protocol.Address;
import corfu.protocol.PayloadRange;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The one shared log of a cluster (CORFU, section 3). Linearizable: once an append has returned, or
 * a read has returned an entry, every later read by any client returns the same entry until it is
 * trimmed.
 *
 * <p>The appends of one client get ascending addresses in the order in which the client made them.
 * The exception is an append that loses its first address and gets another one. A reader fills the
 * first address if the writer is too slow; a change of the layout may have the same effect. A
 * client that depends on the order waits for each append before the next.
 *
 * <p>Thread-safe. Any thread, virtual or not, may make blocking calls. Asynchronous calls return at
 * once, unless too much is in flight: then they wait for room. Otherwise both behave alike. Every
 * call and every future ends within the operation timeout of {@link CorfuOptions}, with its result
 * or one of these exceptions:
 *
 * <ul>
 *   <li>{@link EntryTooLargeException}: the entry was refused before anything was sent;
 *   <li>{@link NoSpaceException}: a log unit's disk is full; nothing was appended;
 *   <li>{@link AppendOutcomeUnknownException}: the append may have happened, or may still happen,
 *       at the address that the exception names;
 *   <li>{@link UnavailableException}: servers that are needed did not answer; nothing was appended;
 *   <li>{@link CorruptEntryException}: no replica can read the entry any more;
 *   <li>{@link BeyondTailException}: a trim or a fill named an address for which no token has been
 *       issued yet; nothing was changed;
 *   <li>{@link AccessDeniedException}: the client lacks a permission; nothing was changed;
 *   <li>{@link QuotaExceededException}: the client has used its quota, and the deadline is too near
 *       to wait; nothing was appended.
 * </ul>
 *
 * The futures complete exceptionally with the same exceptions.
 */
public interface Log {

  /**
   * Appends an entry.
   *
   * @param payload the content of the entry; it must not change until the call has returned
   * @return the address of the entry, which is now durable on all its replicas
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
   * Reads one address. Below the tail this never returns {@link LogEntry.Unwritten}. The read
   * completes an entry that a writer left half done. It fills an address whose writer is later than
   * the hole timeout.
   */
  LogEntry read(Address address);

  CompletableFuture<LogEntry> readAsync(Address address);

  /**
   * Reads the addresses from {@code from}, inclusive, to {@code to}, exclusive, in that order. All
   * entries are held in memory, so read a long log in pieces. A long range gets the operation
   * timeout again for each 32,768 addresses.
   *
   * @throws AccessDeniedException if the range has an entry that the client may not read; a result
   *     without it would look complete
   */
  List<LogEntry> read(Address from, Address to);

  /** Reads these addresses, in the order of the list. */
  List<LogEntry> read(List<Address> addresses);

  /**
   * Reads a part of one entry's payload, at the cost of about that part. Otherwise as {@link
   * #read(Address)}. The checksums that the appender computed verify the part. A payload of up to
   * 16 KiB is transferred as a whole. So is an entry that is in flight, unreadable on all replicas,
   * or from an appender of an older version.
   *
   * @param offset the offset of the first byte in the payload, 0 or more
   * @param length the number of bytes, 1 or more; fewer are returned if the payload ends earlier
   * @throws IllegalArgumentException if {@code offset} or {@code length} is below its bound
   */
  EntryPart read(Address address, int offset, int length);

  /** Reads a part of one entry without waiting; see {@link #read(Address, int, int)}. */
  CompletableFuture<EntryPart> readAsync(Address address, int offset, int length);

  /**
   * Reads parts of entries, in the order of the list; see {@link #read(Address, int, int)}. All
   * parts are held in memory.
   */
  List<EntryPart> readParts(List<PayloadRange> ranges);

  /** Returns the address behind the last issued one. Every completed append is below it. */
  Address tail();

  CompletableFuture<Address> tailAsync();

  /** Trims one address below the tail for ever. Its space can be reused. */
  void trim(Address address);

  /**
   * Trims these addresses below the tail for ever, with few requests. A failure may leave some of
   * them trimmed; a repeated call trims the rest.
   */
  default void trim(Collection<Address> addresses) {
    addresses.forEach(this::trim);
  }

  /**
   * Trims all addresses below {@code before} for ever. Their space can be reused.
   *
   * @param before an address, at most the tail
   */
  void prefixTrim(Address before);

  /**
   * Asks all log units to compress the log below {@code before}, and returns when they have
   * answered, not when they have finished. Each unit compresses in its own time, whole log files of
   * which at least half lies below the address. Readers notice nothing but slower reads of old
   * entries. A unit remembers the highest address, so the call may be repeated. A unit that joins
   * later, or that does not answer, has to be asked again.
   *
   * @param before an address, at most the tail
   * @return a report of each log unit of the newest layout
   */
  List<CompressionReport> compress(Address before);

  /** Returns the progress of the compression, a report of each log unit of the newest layout. */
  List<CompressionReport> compression();

  /**
   * Makes sure that the address is decided: completes the entry there, or writes a hole.
   *
   * @param address an address below the tail
   * @return the entry that the address holds now
   */
  LogEntry fill(Address address);
}
