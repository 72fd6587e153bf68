package corfu.access.gate;

import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.message.SequencerRequest.AskStreams;
import corfu.protocol.message.SequencerRequest.NextInStreams;
import corfu.protocol.stream.StreamPart;
import corfu.protocol.stream.StreamTail;
import corfu.protocol.stream.TokenWish;
import java.util.List;
import java.util.Optional;

/** The rules of requests to a sequencer. */
final class SequencerRules {

  private SequencerRules() {}

  /** Returns the reason to refuse a request, or empty. */
  static Optional<Failure> objection(SequencerRequest request, IdentitySession who) {
    return switch (request) {
      case SequencerRequest.Next next -> Refusals.without(Permission.APPEND_LOG, who);
      case NextInStreams next -> toWishes(next.wishes(), who);
      case AskStreams ask -> toEnds(ask.streams(), who);
      case SequencerRequest.AskTail ask -> Refusals.withoutAny(who);
      case SequencerRequest.Adopt adopt -> Refusals.without(Permission.OPERATE, who);
      case SequencerRequest.Start start -> Refusals.without(Permission.OPERATE, who);
      case SequencerRequest.Seal seal -> Refusals.without(Permission.OPERATE, who);
    };
  }

  /**
   * Requires {@code append} on written streams. Also requires {@code read} on the streams of
   * conditions, because a conflict tells when a stream has changed.
   */
  private static Optional<Failure> toWishes(List<TokenWish> wishes, IdentitySession who) {
    for (int i = 0; i < wishes.size(); i++) {
      TokenWish wish = wishes.get(i);
      Optional<Failure> objection =
          wish.writes().isEmpty()
              ? Refusals.without(Permission.APPEND_LOG, who)
              : to(Permission.APPEND, wish.writes(), who);
      if (objection.isEmpty() && wish.condition().isPresent()) {
        objection = to(Permission.READ, wish.condition().get().reads(), who);
      }
      if (objection.isPresent()) {
        return objection;
      }
    }
    return Refusals.NONE;
  }

  private static Optional<Failure> to(
      Permission permission, List<StreamPart> parts, IdentitySession who) {
    for (int i = 0; i < parts.size(); i++) {
      StreamId stream = parts.get(i).stream();
      if (!who.may(permission, stream)) {
        return Optional.of(Refusals.forbidden(permission, stream, who));
      }
    }
    return Refusals.NONE;
  }

  /** A token tells an appender the end of its stream, too. */
  private static Optional<Failure> toEnds(List<StreamId> streams, IdentitySession who) {
    for (StreamId stream : streams) {
      if (!who.uses(stream)) {
        return Optional.of(Refusals.forbidden(Permission.READ, stream, who));
      }
    }
    return Refusals.NONE;
  }

  /**
   * Returns the ends of streams that the sequencer may believe the client: a false end hides
   * entries, which an appender of the stream could do anyway.
   */
  static List<StreamTail> believable(List<StreamTail> known, IdentitySession who) {
    for (StreamTail tail : known) {
      if (!who.may(Permission.APPEND, tail.stream())) {
        return known.stream().filter(each -> who.may(Permission.APPEND, each.stream())).toList();
      }
    }
    return known;
  }
}
