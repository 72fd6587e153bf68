package corfu.bytes.internal.record;

import corfu.bytes.DamagedRecordException;
import corfu.runtime.EntryPart;
import corfu.runtime.Log;
import corfu.runtime.stream.HeadRead;
import java.util.Optional;

/**
 * Decodes entries of which a player has the first bytes. Reads the rest of the few that say more
 * than fits there. Thread-safe.
 */
public final class EntryDecoder {

  /** The number of bytes at an entry's beginning that say nearly always what it changes. */
  public static final int HEAD_BYTES = 512;

  private final Log log;

  public EntryDecoder(Log log) {
    this.log = log;
  }

  /**
   * Decodes an entry.
   *
   * @return its content; empty if it was trimmed after its head was read
   * @throws DamagedRecordException if it is no record of a byte array
   */
  public Optional<RecordCodec.Decoded> decode(HeadRead.Head head) {
    int needed = RecordCodec.neededBytes(head.bytes(), head.payloadBytes());
    if (head.isWhole() || head.bytes().remaining() >= needed) {
      return Optional.of(RecordCodec.decode(head.address(), head.bytes(), head.payloadBytes()));
    }
    return switch (log.read(head.address(), 0, needed)) {
      case EntryPart.Data more ->
          Optional.of(RecordCodec.decode(head.address(), more.bytes(), head.payloadBytes()));
      case EntryPart.Trimmed trimmed -> Optional.empty();
      case EntryPart gone ->
          throw new DamagedRecordException(head.address(), "it is gone by now: " + gone);
    };
  }
}
