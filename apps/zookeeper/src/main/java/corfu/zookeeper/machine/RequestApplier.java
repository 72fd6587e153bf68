package corfu.zookeeper.machine;

import java.io.IOException;
import org.apache.jute.Record;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.server.FinalRequestProcessor;
import org.apache.zookeeper.server.PrepRequestProcessor;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.txn.TxnHeader;
import org.jspecify.annotations.Nullable;

/**
 * Validates a request, applies it, and replies, with ZooKeeper's own processors. Their queue and
 * their thread are not used: a request is applied at once, so no other one is outstanding.
 *
 * <p>Not thread-safe: one command is applied at a time.
 */
final class RequestApplier extends PrepRequestProcessor {

  private long timeMillis;

  RequestApplier(ZooKeeperServer server) {
    super(server, new FinalRequestProcessor(server));
  }

  /**
   * Applies a request.
   *
   * @param time the time that stats show
   */
  void apply(Request request, long time) {
    timeMillis = time;
    try {
      pRequest(request);
    } catch (RequestProcessorException impossible) {
      throw new IllegalStateException("cannot apply " + request, impossible);
    }
  }

  /** Uses the command's time, which is the same for all servers, in place of the clock. */
  @Override
  protected void pRequest2Txn(int type, long zxid, Request request, @Nullable Record record)
      throws KeeperException, IOException, RequestProcessorException {
    TxnHeader header = request.getHdr();
    if (header == null) {
      request.setHdr(new TxnHeader(request.sessionId, request.cxid, zxid, timeMillis, type));
    } else {
      header.setTime(timeMillis);
    }
    super.pRequest2Txn(type, zxid, request, record);
  }
}
