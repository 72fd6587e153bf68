package corfu.nbd.internal.session;

import static corfu.nbd.internal.protocol.NbdNumbers.FLAG_BLOCK_STATUS_PAYLOAD;
import static corfu.nbd.internal.protocol.NbdNumbers.FLAG_CAN_MULTI_CONN;
import static corfu.nbd.internal.protocol.NbdNumbers.FLAG_HAS_FLAGS;
import static corfu.nbd.internal.protocol.NbdNumbers.FLAG_READ_ONLY;
import static corfu.nbd.internal.protocol.NbdNumbers.FLAG_SEND_CACHE;
import static corfu.nbd.internal.protocol.NbdNumbers.FLAG_SEND_DF;
import static corfu.nbd.internal.protocol.NbdNumbers.FLAG_SEND_FAST_ZERO;
import static corfu.nbd.internal.protocol.NbdNumbers.FLAG_SEND_FLUSH;
import static corfu.nbd.internal.protocol.NbdNumbers.FLAG_SEND_FUA;
import static corfu.nbd.internal.protocol.NbdNumbers.FLAG_SEND_RESIZE;
import static corfu.nbd.internal.protocol.NbdNumbers.FLAG_SEND_TRIM;
import static corfu.nbd.internal.protocol.NbdNumbers.FLAG_SEND_WRITE_ZEROES;

import corfu.nbd.ExportDescription;
import corfu.nbd.internal.protocol.HeaderStyle;
import java.util.List;

/** The transmission flags of an export: what its client may use. */
final class ExportFlags {

  private ExportFlags() {}

  /**
   * Returns the flags, whether the export is open or only described.
   *
   * @param contexts the metadata contexts that the client has chosen
   */
  static int of(ExportDescription export, List<String> contexts, HeaderStyle style) {
    int flags =
        FLAG_HAS_FLAGS | FLAG_SEND_FLUSH | FLAG_SEND_FUA | FLAG_CAN_MULTI_CONN | FLAG_SEND_CACHE;
    if (export.info().readOnly()) {
      flags |= FLAG_READ_ONLY;
    } else {
      flags |= FLAG_SEND_TRIM | FLAG_SEND_WRITE_ZEROES | FLAG_SEND_FAST_ZERO;
      if (export.canResize()) {
        flags |= FLAG_SEND_RESIZE;
      }
    }
    if (style.hasChunks()) {
      flags |= FLAG_SEND_DF;
    }
    if (style == HeaderStyle.EXTENDED && !contexts.isEmpty()) {
      flags |= FLAG_BLOCK_STATUS_PAYLOAD;
    }
    return flags;
  }
}
