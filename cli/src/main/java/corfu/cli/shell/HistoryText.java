package corfu.cli.shell;

import corfu.objects.history.HistoryEntry;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** History for people: address, time, client, and what it called. */
public final class HistoryText {

  private HistoryText() {}

  /** Of one entry; a transaction has a line for each call. */
  public static List<String> of(HistoryEntry entry) {
    return switch (entry) {
      case HistoryEntry.Changed changed -> of(changed);
      case HistoryEntry.Forgotten forgotten ->
          List.of("what was before place %s is forgotten".formatted(forgotten.before()));
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
                  changed.address(), changed.when(), client(changed.client()), call, others));
    }
    return lines;
  }

  /** A client, as listings show it. */
  public static String client(long client) {
    return HexFormat.of().toHexDigits(client);
  }
}
