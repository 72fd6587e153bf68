package corfu.protocol.wire;

import corfu.protocol.Epoch;
import corfu.protocol.message.Message;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.message.SequencerRequest.KnownStreams;
import java.util.Optional;

/** The bodies of sequencers' requests and replies. */
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
        yield start.streams() == KnownStreams.KEPT ? MessageType.CONTINUE : MessageType.START;
      }
      case SequencerRequest.Seal seal ->
          seal.streams() == KnownStreams.KEPT ? MessageType.HAND_OVER : MessageType.SEAL_SEQUENCER;
      case SequencerRequest.NextInStreams next -> {
        StreamFields.putAll(next.wishes(), StreamFields::putWish, out);
        StreamFields.putAll(next.known(), StreamFields::putTail, out);
        yield MessageType.NEXT_IN_STREAMS;
      }
      case SequencerRequest.AskStreams ask -> {
        StreamFields.putAll(ask.streams(), StreamFields::putStream, out);
        StreamFields.putAll(ask.known(), StreamFields::putTail, out);
        yield MessageType.ASK_STREAMS;
      }
      case SequencerRequest.Adopt adopt -> {
        out.putLong(adopt.to());
        StreamFields.putAll(adopt.ends(), StreamFields::putTail, out);
        yield MessageType.ADOPT;
      }
    };
  }

  static MessageType encode(SequencerReply reply, WireWriter out) {
    return switch (reply) {
      case SequencerReply.Tokens tokens -> {
        out.putLong(tokens.first());
        out.putInt(tokens.count());
        tokens.seal().ifPresent(seal -> StreamFields.putSeal(seal, out));
        yield tokens.seal().isPresent() ? MessageType.SEALED_TOKENS : MessageType.TOKENS;
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
      case SequencerReply.HandedOver sealed -> {
        out.putLong(sealed.next());
        out.putLong(sealed.incarnation());
        out.putLong(sealed.started().value());
        yield MessageType.HANDED_OVER;
      }
      case SequencerReply.StreamTokens tokens -> {
        StreamFields.putAll(tokens.outcomes(), StreamFields::putOutcome, out);
        tokens.seal().ifPresent(seal -> StreamFields.putSeal(seal, out));
        yield tokens.seal().isPresent()
            ? MessageType.SEALED_STREAM_TOKENS
            : MessageType.STREAM_TOKENS;
      }
      case SequencerReply.StreamEnds ends -> {
        out.putLong(ends.next());
        out.putLong(ends.began());
        StreamFields.putAll(ends.ends(), StreamFields::putPosition, out);
        yield MessageType.STREAM_ENDS;
      }
      case SequencerReply.UnknownStreams unknown -> {
        out.putLong(unknown.below());
        StreamFields.putAll(unknown.streams(), StreamFields::putStream, out);
        yield MessageType.UNKNOWN_STREAMS;
      }
    };
  }

  static Message decode(MessageType type, Epoch epoch, WireReader in) {
    return switch (type) {
      case NEXT -> new SequencerRequest.Next(epoch, in.getNonNegativeInt());
      case ASK_SEQUENCER_TAIL -> new SequencerRequest.AskTail(epoch);
      case START -> new SequencerRequest.Start(epoch, in.getAddress(), in.getLong());
      case SEAL_SEQUENCER -> new SequencerRequest.Seal(epoch);
      case HAND_OVER -> new SequencerRequest.Seal(epoch, KnownStreams.KEPT);
      case CONTINUE ->
          new SequencerRequest.Start(epoch, in.getAddress(), in.getLong(), KnownStreams.KEPT);
      case TOKENS -> new SequencerReply.Tokens(in.getAddress(), in.getNonNegativeInt());
      case SEALED_TOKENS ->
          new SequencerReply.Tokens(
              in.getAddress(), in.getNonNegativeInt(), Optional.of(StreamFields.getSeal(in)));
      case SEQUENCER_TAIL -> new SequencerReply.Tail(in.getAddress());
      case SEQUENCER_SEALED -> new SequencerReply.SealedAt(in.getAddress(), in.getLong());
      case HANDED_OVER ->
          new SequencerReply.HandedOver(in.getAddress(), in.getLong(), in.getEpoch());
      case NEXT_IN_STREAMS ->
          new SequencerRequest.NextInStreams(
              epoch,
              StreamFields.getAll(StreamFields.WISH_BYTES, StreamFields::getWish, in),
              StreamFields.getAll(StreamFields.TAIL_BYTES, StreamFields::getTail, in));
      case ASK_STREAMS ->
          new SequencerRequest.AskStreams(
              epoch,
              StreamFields.getAll(StreamFields.STREAM_BYTES, StreamFields::getStream, in),
              StreamFields.getAll(StreamFields.TAIL_BYTES, StreamFields::getTail, in));
      case ADOPT ->
          new SequencerRequest.Adopt(
              epoch,
              in.getAddress(),
              StreamFields.getAll(StreamFields.TAIL_BYTES, StreamFields::getTail, in));
      case STREAM_TOKENS ->
          new SequencerReply.StreamTokens(
              StreamFields.getAll(StreamFields.OUTCOME_BYTES, StreamFields::getOutcome, in));
      case SEALED_STREAM_TOKENS ->
          new SequencerReply.StreamTokens(
              StreamFields.getAll(StreamFields.OUTCOME_BYTES, StreamFields::getOutcome, in),
              Optional.of(StreamFields.getSeal(in)));
      case STREAM_ENDS ->
          new SequencerReply.StreamEnds(
              in.getAddress(),
              in.getAddress(),
              StreamFields.getAll(StreamFields.POSITION_BYTES, StreamFields::getPosition, in));
      case UNKNOWN_STREAMS ->
          new SequencerReply.UnknownStreams(
              in.getAddress(),
              StreamFields.getAll(StreamFields.STREAM_BYTES, StreamFields::getStream, in));
      default -> throw FrameCodec.notMine(type);
    };
  }
}
