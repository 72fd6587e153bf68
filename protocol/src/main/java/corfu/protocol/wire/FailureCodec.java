package corfu.protocol.wire;

import corfu.protocol.ClusterId;
import corfu.protocol.Permission;
import corfu.protocol.message.Failure;
import java.util.Optional;
import java.util.UUID;

/** The bodies of failures. */
final class FailureCodec {

  private FailureCodec() {}

  static MessageType encode(Failure failure, WireWriter out) {
    return switch (failure) {
      case Failure.Sealed sealed -> {
        out.putLong(sealed.current().value());
        yield MessageType.SEALED;
      }
      case Failure.Behind behind -> {
        out.putLong(behind.current().value());
        yield MessageType.BEHIND;
      }
      case Failure.NotBootstrapped fresh -> MessageType.NOT_BOOTSTRAPPED;
      case Failure.WrongCluster wrong -> {
        out.putLong(wrong.actual().value().getMostSignificantBits());
        out.putLong(wrong.actual().value().getLeastSignificantBits());
        yield MessageType.WRONG_CLUSTER;
      }
      case Failure.NotServing idle -> {
        Fields.putText(idle.reason(), out);
        yield MessageType.NOT_SERVING;
      }
      case Failure.Refused refused -> {
        out.putByte(refused.cause().code());
        Fields.putText(refused.reason(), out);
        yield MessageType.REFUSED;
      }
      case Failure.Overloaded overloaded -> {
        Fields.putText(overloaded.reason(), out);
        yield MessageType.OVERLOADED;
      }
      case Failure.Broken broken -> {
        Fields.putText(broken.reason(), out);
        yield MessageType.BROKEN;
      }
      case Failure.Forbidden forbidden -> {
        out.putByte(forbidden.permission().code());
        out.putByte(forbidden.stream().isPresent() ? 1 : 0);
        forbidden.stream().ifPresent(stream -> StreamFields.putStream(stream, out));
        Fields.putText(forbidden.reason(), out);
        yield MessageType.FORBIDDEN;
      }
      case Failure.OverQuota over -> {
        Fields.putText(over.reason(), out);
        out.putInt(over.waitMillis());
        yield MessageType.OVER_QUOTA;
      }
    };
  }

  static Failure decode(MessageType type, WireReader in) {
    return switch (type) {
      case SEALED -> new Failure.Sealed(in.getEpoch());
      case BEHIND -> new Failure.Behind(in.getEpoch());
      case NOT_BOOTSTRAPPED -> new Failure.NotBootstrapped();
      case WRONG_CLUSTER ->
          new Failure.WrongCluster(new ClusterId(new UUID(in.getLong(), in.getLong())));
      case NOT_SERVING -> new Failure.NotServing(in.getText());
      case REFUSED -> new Failure.Refused(Failure.Cause.ofCode(in.getByte()), in.getText());
      case OVERLOADED -> new Failure.Overloaded(in.getText());
      case BROKEN -> new Failure.Broken(in.getText());
      case FORBIDDEN ->
          new Failure.Forbidden(
              Permission.ofCode(in.getByte()),
              Fields.getFlag(in) ? Optional.of(StreamFields.getStream(in)) : Optional.empty(),
              in.getText());
      case OVER_QUOTA -> new Failure.OverQuota(in.getText(), in.getNonNegativeInt());
      default -> throw FrameCodec.notMine(type);
    };
  }
}
