package corfu.protocol.wire;

import corfu.protocol.Epoch;
import corfu.protocol.message.Message;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;

/** Bodies of what sequencers are asked and answer. */
final class SequencerCodec {

  private SequencerCodec() {}

  static MessageType encode(SequencerRequest request, WireWriter out) {
    return switch (request) {
      case SequencerRequest.Next next -> {
        out.putInt(next.count());
        yield MessageType.NEXT;
      }
      case SequencerRequest.AskTail ask -> MessageType.ASK_SEQUENCER_TAIL;
      case SequencerRequest.Start start -> {
        out.putLong(start.next());
        out.putLong(start.incarnation());
        yield MessageType.START;
      }
      case SequencerRequest.Seal seal -> MessageType.SEAL_SEQUENCER;
    };
  }

  static MessageType encode(SequencerReply reply, WireWriter out) {
    return switch (reply) {
      case SequencerReply.Tokens tokens -> {
        out.putLong(tokens.first());
        out.putInt(tokens.count());
        yield MessageType.TOKENS;
      }
      case SequencerReply.Tail tail -> {
        out.putLong(tail.next());
        yield MessageType.SEQUENCER_TAIL;
      }
      case SequencerReply.SealedAt sealed -> {
        out.putLong(sealed.next());
        out.putLong(sealed.incarnation());
        yield MessageType.SEQUENCER_SEALED;
      }
    };
  }

  static Message decode(MessageType type, Epoch epoch, WireReader in) {
    return switch (type) {
      case NEXT -> new SequencerRequest.Next(epoch, in.getNonNegativeInt());
      case ASK_SEQUENCER_TAIL -> new SequencerRequest.AskTail(epoch);
      case START -> new SequencerRequest.Start(epoch, in.getAddress(), in.getLong());
      case SEAL_SEQUENCER -> new SequencerRequest.Seal(epoch);
      case TOKENS -> new SequencerReply.Tokens(in.getAddress(), in.getNonNegativeInt());
      case SEQUENCER_TAIL -> new SequencerReply.Tail(in.getAddress());
      case SEQUENCER_SEALED -> new SequencerReply.SealedAt(in.getAddress(), in.getLong());
      default -> throw FrameCodec.notMine(type);
    };
  }
}
