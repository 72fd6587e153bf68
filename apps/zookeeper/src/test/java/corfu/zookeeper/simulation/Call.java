package corfu.zookeeper.simulation;

import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits for its reply.
 *
 * @param acknowledged the highest zxid of a change whose reply some client had before this request
 * @param isLinearizable whether a read must see all changes acknowledged before
 */
record Call(int xid, int type, @Nullable Record body, long acknowledged, boolean isLinearizable) {

  boolean isChange() {
    return isChange(type);
  }

  static boolean isChange(int type) {
    return switch (type) {
      case OpCode.create2, OpCode.delete, OpCode.setData, OpCode.multi, OpCode.closeSession -> true;
      default -> false;
    };
  }
}
