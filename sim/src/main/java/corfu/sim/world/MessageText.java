package corfu.sim.world;

import corfu.protocol.AddressSet;
import corfu.protocol.Entry;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Message;
import corfu.protocol.message.NodeRequest;
import java.util.List;
import java.util.StringJoiner;

/** Prints messages in few words, for traces. */
final class MessageText {

  private static final int MOST = 12;

  private MessageText() {}

  static String of(Message message) {
    return switch (message) {
      case LogUnitRequest.Write(var epoch, var entries, var seals) ->
          "Write e" + epoch + list(entries.stream().map(MessageText::of).toList());
      case LogUnitRequest.Read(var epoch, var addresses, var max) ->
          "Read e" + epoch + of(addresses);
      case LogUnitRequest.Trim(var epoch, var addresses) -> "Trim e" + epoch + of(addresses);
      case LogUnitRequest.Inspect(var epoch, var addresses) -> "Inspect e" + epoch + of(addresses);
      case LogUnitRequest.Install(var layout) -> "Install" + of(layout);
      case LogUnitReply.Reads(var outcomes) ->
          "Reads" + list(outcomes.stream().map(MessageText::of).toList());
      case LogUnitReply.Copied copied -> "Copied to " + copied.next();
      case LayoutRequest.Accept(var ballot, var layout) -> "Accept " + ballot + of(layout);
      case LayoutRequest.Learn(var layout) -> "Learn" + of(layout);
      case LayoutReply.Current(var layout) -> "Current" + of(layout);
      case LayoutReply.Decided(var layout) -> "Decided" + of(layout);
      case LayoutReply.Promised(var accepted, var leases) ->
          "Promised"
              + accepted
                  .map(a -> " after " + a.ballot() + of(a.layout()))
                  .orElse(", nothing accepted")
              + list(leases.stream().map(MessageText::of).toList());
      case LayoutRequest.Renew(var epoch, var server, var health) ->
          "Renew e" + epoch + " " + server;
      case LayoutReply.Observations(var seen) ->
          "Observations" + list(seen.stream().map(MessageText::of).toList());
      case NodeRequest.Hello hello -> "Hello";
      default -> message.toString();
    };
  }

  private static String of(Layout layout) {
    return " layout e" + layout.epoch();
  }

  private static String of(AddressSet addresses) {
    StringJoiner all = new StringJoiner(" ", " [", "]");
    for (int i = 0; i < Math.min(addresses.count(), MOST); i++) {
      all.add(Long.toString(addresses.at(i)));
    }
    return addresses.count() > MOST ? all.add("...").toString() : all.toString();
  }

  private static String of(Entry entry) {
    return entry.address() + (entry.isHole() ? "=hole:" : "=") + entry.id();
  }

  private static String of(ReadOutcome outcome) {
    return switch (outcome) {
      case ReadOutcome.Found(Entry entry) -> of(entry);
      case ReadOutcome.Unconfirmed(Entry entry) -> of(entry) + "?";
      case ReadOutcome.Unwritten unwritten -> "unwritten";
      case ReadOutcome.Trimmed trimmed -> "trimmed";
      case ReadOutcome.Corrupt(String detail) -> "corrupt(" + detail + ")";
      case ReadOutcome.Forbidden forbidden -> "forbidden";
    };
  }

  private static String of(LayoutReply.RunningLease lease) {
    return lease.server() + " for " + lease.remainingMillis() + " ms";
  }

  private static String of(LayoutReply.Observation seen) {
    return seen.server()
        + (" silent " + seen.silentMillis() + " ms")
        + (" steady " + seen.steadyMillis() + " ms");
  }

  private static String list(List<String> words) {
    String rest = words.size() > MOST ? " ..." : "";
    return " [" + String.join(" ", words.stream().limit(MOST).toList()) + rest + "]";
  }
}
