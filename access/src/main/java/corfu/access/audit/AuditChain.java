package corfu.access.audit;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks that records of the audit log are one chain: each names the hash of its predecessor, so
 * that no record was changed, removed, added or moved since. Each server process numbers its
 * records, so that none is missing or there twice. Not thread-safe.
 *
 * <p>The beginning of an audit log may be trimmed. The first remaining record still names the hash
 * of its predecessor. The end of the chain is proven by an {@link AuditAnchor} only: somebody who
 * can remove records can remove the newest ones.
 */
public final class AuditChain {

  /** The number of server processes whose numbers are remembered. */
  private static final int MOST_LIVES = 4_096;

  private final Optional<AuditAnchor> wanted;
  private final Map<Long, Long> numbers = new LinkedHashMap<>();
  private boolean isTrimmed;
  private Optional<AuditAnchor> newest = Optional.empty();
  private long count;

  private AuditChain(Optional<AuditAnchor> wanted) {
    this.wanted = wanted;
  }

  /** Returns a check that begins with the first remaining record. */
  public static AuditChain fromBeginning() {
    return new AuditChain(Optional.empty());
  }

  /** Returns a check that begins with a known record, and skips those before it. */
  public static AuditChain from(AuditAnchor known) {
    return new AuditChain(Optional.of(known));
  }

  /** Records that earlier records than the next one were trimmed. */
  public void beginningIsTrimmed() {
    isTrimmed |= newest.isEmpty();
  }

  /**
   * Adds the next record.
   *
   * @param address the record's log address
   * @param payload the record's bytes
   * @return the break if the record does not fit; the check continues behind it
   */
  public Optional<AuditBreak> add(long address, ByteBuffer payload) {
    if (wanted.isPresent() && address < wanted.get().address()) {
      return Optional.empty();
    }
    RecordHash hash = RecordHash.of(payload);
    Optional<String> wrong;
    try {
      AuditRecord record = AuditCodec.decode(payload);
      wrong = isBehindPredecessor(address, hash, record).or(() -> isNumbered(record));
      if (numbers.size() >= MOST_LIVES) {
        numbers.remove(numbers.keySet().iterator().next());
      }
      numbers.remove(record.life());
      numbers.put(record.life(), record.number());
    } catch (DamagedAuditException foreign) {
      wrong = Optional.of("the entry is no record of the audit log: " + foreign.getMessage());
    }
    newest = Optional.of(new AuditAnchor(address, hash));
    count++;
    return wrong.map(reason -> new AuditBreak(address, reason));
  }

  private Optional<String> isBehindPredecessor(long address, RecordHash hash, AuditRecord record) {
    if (newest.isPresent()) {
      return checkPrevious(newest.get().hash(), record.previous());
    }
    if (wanted.isPresent()) {
      return checkFirst(wanted.get(), address, hash, record.previous());
    }
    boolean isFirst = record.previous().equals(RecordHash.NONE);
    if (isFirst && isTrimmed) {
      return Optional.of("the chain begins anew, although there were earlier records");
    }
    return isFirst || isTrimmed
        ? Optional.empty()
        : Optional.of(
            "the record has a predecessor with the hash %s, but there is none, and nothing was"
                    .formatted(record.previous())
                + " trimmed");
  }

  private static Optional<String> checkPrevious(RecordHash expected, RecordHash named) {
    return named.equals(expected)
        ? Optional.empty()
        : Optional.of(
            "the record names %s as its predecessor's hash, but the record before it has %s"
                .formatted(named, expected));
  }

  private static Optional<String> checkFirst(
      AuditAnchor known, long address, RecordHash hash, RecordHash previous) {
    boolean isLinked =
        address == known.address() ? hash.equals(known.hash()) : previous.equals(known.hash());
    if (isLinked) {
      return Optional.empty();
    }
    return Optional.of(
        address == known.address()
            ? "the record has the hash %s, where %s was expected".formatted(hash, known.hash())
            : "the record at %d is not there any more, from which to verify"
                .formatted(known.address()));
  }

  /** A process that is met in the middle of the log may have any number. */
  private Optional<String> isNumbered(AuditRecord record) {
    @Nullable Long before = numbers.get(record.life());
    boolean isWhole = wanted.isEmpty() && !isTrimmed && count < MOST_LIVES;
    if (before == null) {
      return record.number() == 0 || !isWhole
          ? Optional.empty()
          : Optional.of(wrongNumber(record, 0));
    }
    return record.number() == before + 1
        ? Optional.empty()
        : Optional.of(wrongNumber(record, before + 1));
  }

  private static String wrongNumber(AuditRecord record, long expected) {
    return "the record is number %d of this run of server %s, where number %d was expected"
        .formatted(record.number(), record.server(), expected);
  }

  /** Returns the break at the end: the known record was never met. */
  public Optional<AuditBreak> end() {
    return newest.isEmpty()
        ? wanted.map(
            known ->
                new AuditBreak(
                    known.address(),
                    "no record is there, and none behind it, although there was one"))
        : Optional.empty();
  }

  /** Returns the newest record, or empty if there is none. */
  public Optional<AuditAnchor> newest() {
    return newest;
  }

  /** Returns the number of records. */
  public long count() {
    return count;
  }
}
