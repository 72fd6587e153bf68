package corfu.nbd.internal.session;

import corfu.nbd.BlockDevice;
import corfu.nbd.BlockDevice.StatusExtent;
import corfu.nbd.internal.protocol.HeaderStyle;
import java.util.ArrayList;
import java.util.List;

/** Brings the extents of a device into the form that the protocol asks for. */
final class StatusReply {

  /** More extents than these are cut off; the client asks again behind them. */
  private static final int MAX_EXTENTS = 1 << 16;

  /** The longest extent with lengths of 32 bits, still a multiple of any block. */
  private static final long MAX_COMPACT_BYTES = (1L << 32) - (1 << 16);

  private StatusReply() {}

  /**
   * Returns the extents to send: merged, cut to what the style can tell, and at least one.
   *
   * @param length the number of bytes that the client has asked for
   * @param onlyOne whether the client wants one extent within its range
   */
  static List<StatusExtent> of(
      List<StatusExtent> told, HeaderStyle style, long length, boolean onlyOne) {
    List<StatusExtent> merged = new ArrayList<>();
    long covered = 0;
    long current = 0;
    long flags = 0;
    for (StatusExtent extent : told) {
      long bytes = Math.min(extent.length(), length - covered);
      if (bytes <= 0 || merged.size() == MAX_EXTENTS - 1) {
        break;
      }
      if (current > 0 && flags != extent.flags()) {
        merged.add(new StatusExtent(current, flags));
        current = 0;
        if (onlyOne) {
          break;
        }
      }
      flags = extent.flags();
      current += bytes;
      covered += bytes;
    }
    if (current > 0) {
      merged.add(new StatusExtent(current, flags));
    }
    return style == HeaderStyle.EXTENDED ? merged : compact(merged);
  }

  /** Cuts the list behind the first extent that is too long for 32 bits. */
  private static List<StatusExtent> compact(List<StatusExtent> extents) {
    for (int i = 0; i < extents.size(); i++) {
      if (extents.get(i).length() > MAX_COMPACT_BYTES) {
        List<StatusExtent> cut = new ArrayList<>(extents.subList(0, i));
        cut.add(new BlockDevice.StatusExtent(MAX_COMPACT_BYTES, extents.get(i).flags()));
        return cut;
      }
    }
    return extents;
  }
}
