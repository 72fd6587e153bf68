package corfu.runtime.cluster;

import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.transport.Transport;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A client that does not ask for the log's end before it trims or fills. */
public final class OldClient {

  private final Transport transport;
  private final Layout layout;
  private final Epoch epoch;

  public OldClient(Transport transport, Layout layout) {
    this.transport = transport;
    this.layout = layout;
    this.epoch = layout.epoch();
  }

  public void prefixTrim(long before) {
    for (Endpoint unit : layout.logUnits()) {
      done(unit, new LogUnitRequest.PrefixTrim(epoch, before));
    }
  }

  public void trim(AddressSet addresses) {
    for (Endpoint unit : layout.segmentOf(addresses.at(0)).holdersOf(addresses.at(0))) {
      done(unit, new LogUnitRequest.Trim(epoch, addresses));
    }
  }

  public void fill(long address) {
    Entry hole = Entry.hole(address, new AppendId(1, address));
    for (Endpoint replica : layout.path(hole)) {
      var write = new LogUnitRequest.Write(epoch, List.of(hole));
      if (!(ask(replica, write) instanceof LogUnitReply.Writes)) {
        throw new AssertionError(replica + " did not write");
      }
    }
  }

  private void done(Endpoint server, Request request) {
    Reply reply = ask(server, request);
    if (reply != Reply.Done.DONE) {
      throw new AssertionError(server + " answered " + request + " with " + reply);
    }
  }

  private Reply ask(Endpoint server, Request request) {
    return transport.peer(server).call(request, TimeUnit.SECONDS.toNanos(5));
  }
}
