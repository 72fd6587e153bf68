package corfu.runtime.internal;

import corfu.protocol.Endpoint;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.CompressionReport;
import corfu.runtime.Deadline;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.runtime.internal.session.ClientContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Asks log units to compress, and for their progress. Thread-safe. */
final class Compressions {

  private final ClientContext context;

  Compressions(ClientContext context) {
    this.context = context;
  }

  /**
   * Sends the request to every log unit of the newest layout, once.
   *
   * @param request a request that is answered by {@link LogUnitReply.Compressed}
   */
  List<CompressionReport> ask(LogUnitRequest request) {
    Deadline deadline = context.deadline();
    context.layouts().refresh(deadline);
    Map<Endpoint, LogUnitRequest> requests = new LinkedHashMap<>();
    context.layout().logUnits().forEach(unit -> requests.put(unit, request));
    List<CompressionReport> reports = new ArrayList<>();
    context
        .servers()
        .askAll(requests, deadline)
        .forEach((unit, answered) -> reports.add(report(unit, answered)));
    return reports;
  }

  private static CompressionReport report(Endpoint unit, CompletableFuture<Reply> answered) {
    try {
      var told = Servers.awaitIfKnown(unit, answered, LogUnitReply.Compressed.class);
      return new CompressionReport(
          unit,
          told,
          told.isPresent() ? "" : "the server at %s is too old to compress".formatted(unit));
    } catch (RetryableException silent) {
      return new CompressionReport(unit, Optional.empty(), String.valueOf(silent.getMessage()));
    }
  }
}
