package corfu.protocol.message;

import corfu.protocol.AddressSet;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import java.util.List;

/** What a log unit may be asked (DESIGN 3.2). */
public sealed interface LogUnitRequest extends Request {

  /**
   * Write each entry to its address, unless something is there; a fill is the write of a hole.
   * Answered by {@link LogUnitReply.Writes} once everything accepted is as durable as the unit's
   * mode says.
   *
   * @param entries one or more, at different addresses
   */
  record Write(Epoch epoch, List<Entry> entries) implements LogUnitRequest {}

  /**
   * Read these addresses. Answered by {@link LogUnitReply.Reads}, which may stop early: at least
   * one address is answered, and more as long as the entries measure no more than {@code maxBytes}.
   */
  record Read(Epoch epoch, AddressSet addresses, int maxBytes) implements LogUnitRequest {}

  /** Forget what these addresses hold, for ever. Unwritten ones become trimmed, too. */
  record Trim(Epoch epoch, AddressSet addresses) implements LogUnitRequest {}

  /** Forget everything below this address, for ever. */
  record PrefixTrim(Epoch epoch, long before) implements LogUnitRequest {}

  /** What do these addresses hold? Answered by {@link LogUnitReply.States}; no entry is read. */
  record Inspect(Epoch epoch, AddressSet addresses) implements LogUnitRequest {}

  /** Where does what you hold end? Answered by {@link LogUnitReply.Tail}. */
  record AskTail(Epoch epoch) implements LogUnitRequest {}

  /**
   * Read whatever is not unwritten, upwards from {@code from} and below {@code to}. Answered by
   * {@link LogUnitReply.Copied}. It is how a replacement fetches what it misses, in any epoch.
   */
  record CopyRange(Epoch epoch, long from, long to, int maxBytes) implements LogUnitRequest {}

  /**
   * Finish what runs, then refuse every epoch up to and including {@code epoch}. Answered by {@link
   * LogUnitReply.Tail} once that is durable, or by {@link Failure.Sealed} where a later epoch's
   * layout is installed: what the unit holds by now is not that epoch's tail.
   */
  record Seal(Epoch epoch) implements LogUnitRequest {}

  /**
   * Serve this layout, if it is newer than yours. Answered by {@link Reply.Done}, or by {@link
   * Failure.NotServing} where the unit is blank and the layout is not a cluster's first: then what
   * the unit held is lost, and it has to be rebuilt.
   */
  record Install(Layout layout) implements LogUnitRequest {
    @Override
    public Epoch epoch() {
      return layout.epoch();
    }
  }

  /** How full are you? Answered by {@link LogUnitReply.Usage}. */
  record AskUsage() implements LogUnitRequest {
    @Override
    public Epoch epoch() {
      return Epoch.NONE;
    }
  }
}
