package corfu.bytes.internal.record;

import corfu.bytes.DamagedRecordException;
import corfu.runtime.EntryPart;
import corfu.runtime.Log;
import corfu.runtime.stream.HeadRead;

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
   * @throws DamagedRecordException if it is no record of a byte array
   */
  public RecordCodec.Decoded decode(HeadRead.Head head) {
    if (head.isWhole() || !RecordCodec.isNeededWhole(head.bytes())) {
      return RecordCodec.decode(head.address(), head.bytes(), head.payloadBytes());
    }
    return switch (log.read(head.address(), 0, head.payloadBytes())) {
      case EntryPart.Data whole ->
          RecordCodec.decode(head.address(), whole.bytes(), head.payloadBytes());
      case EntryPart gone ->
          throw new DamagedRecordException(head.address(), "it is gone by now: " + gone);
    };
  }
}
