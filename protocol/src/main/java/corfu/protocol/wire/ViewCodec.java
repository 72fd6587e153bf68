package corfu.protocol.wire;

import corfu.protocol.message.Message;
import corfu.protocol.message.ViewReply;
import corfu.protocol.message.ViewRequest;

/** The bodies of calls on hosted views and of their answers. */
final class ViewCodec {

  private ViewCodec() {}

  static MessageType encode(ViewRequest request, WireWriter out) {
    return switch (request) {
      case ViewRequest.Call call -> {
        StreamFields.putStream(call.stream(), out);
        out.putInt(call.patienceMillis());
        Fields.putBytes(call.call(), out);
        yield MessageType.CALL_VIEW;
      }
    };
  }

  static MessageType encode(ViewReply reply, WireWriter out) {
    return switch (reply) {
      case ViewReply.Answered answered -> {
        Fields.putBytes(answered.answer(), out);
        yield MessageType.VIEW_ANSWER;
      }
    };
  }

  static Message decode(MessageType type, WireReader in) {
    return switch (type) {
      case CALL_VIEW ->
          new ViewRequest.Call(
              StreamFields.getStream(in), in.getNonNegativeInt(), in.getBytes(in.getCount(1)));
      case VIEW_ANSWER -> new ViewReply.Answered(in.getBytes(in.getCount(1)));
      default -> throw FrameCodec.notMine(type);
    };
  }
}
