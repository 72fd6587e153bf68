package corfu.cli.shell;

import corfu.objects.history.HistoryEntry;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * An object's history for people: the address of each change, its time, its client, and its call.
 */
public final class HistoryText {

  private HistoryText() {}

  /** A call of the client library, which no class declares. */
  private static final String RESTORE = "corfu:restore";

  /** Returns the lines of one entry; a transaction has a line for each call. */
  public static List<String> of(HistoryEntry entry) {
    return switch (entry) {
      case HistoryEntry.Changed changed -> of(changed);
      case HistoryEntry.Forgotten forgotten ->
          List.of(
              "the changes before stream address %s are forgotten".formatted(forgotten.before()));
      case HistoryEntry.Unreadable unreadable ->
          List.of("%s\tunreadable: %s".formatted(unreadable.address(), unreadable.problem()));
    };
  }

  private static List<String> of(HistoryEntry.Changed changed) {
    List<String> lines = new ArrayList<>();
    for (HistoryEntry.Call call : changed.calls()) {
      String others =
          changed.otherObjects() == 0
              ? ""
              : "\t(with %d other object%s)"
                  .formatted(changed.otherObjects(), changed.otherObjects() == 1 ? "" : "s");
      lines.add(
          "%s\t%s\t%s\t%s%s"
              .formatted(
                  changed.address(), changed.when(), client(changed.client()), text(call), others));
    }
    return lines;
  }

  private static String text(HistoryEntry.Call call) {
    if (!call.operation().equals(RESTORE)) {
      return call.toString();
    }
    return call.arguments().getFirst().matches("\\d+L")
        ? "rolled back to its state at log address " + call.arguments().getFirst().replace("L", "")
        : "rolled back to an earlier state";
  }

  /** Returns a client's number in hex. */
  public static String client(long client) {
    return HexFormat.of().toHexDigits(client);
  }
}
