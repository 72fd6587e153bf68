package corfu.sim;

import corfu.protocol.ClusterId;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Health;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.wire.FrameCodec;
import corfu.roles.Role;
import corfu.roles.layout.LayoutServer;
import corfu.roles.logunit.LogUnit;
import corfu.roles.sequencer.Sequencer;
import corfu.transport.RequestHandler;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** One server's roles behind one address, with the watches that see every answer. */
record ServerRoles(
    String server,
    Optional<Sequencer> sequencer,
    Optional<LogUnit> logUnit,
    Optional<LayoutServer> layoutServer,
    ServerWatch watch)
    implements RequestHandler {

  @Override
  public void handle(Request request, Consumer<Reply> reply) {
    watch.asked(request);
    Consumer<Reply> watched =
        answer -> {
          watch.answered(request, answer);
          reply.accept(answer);
        };
    switch (request) {
      case LogUnitRequest forUnit -> give(logUnit, forUnit, watched);
      case SequencerRequest forSequencer -> give(sequencer, forSequencer, watched);
      case LayoutRequest forLayout -> give(layoutServer, forLayout, watched);
      case NodeRequest.Hello hello -> watched.accept(greet(hello));
      case NodeRequest.AskStatus ask ->
          watched.accept(
              new NodeReply.Status(
                  server, cluster(), Epoch.NONE, List.of(), Health.UNKNOWN, List.of()));
    }
  }

  private <Q extends Request> void give(
      Optional<? extends Role<Q>> role, Q request, Consumer<Reply> reply) {
    if (role.isPresent()) {
      role.get().handle(request, reply);
    } else {
      reply.accept(new Failure.NotServing("server " + server + " does not have this role"));
    }
  }

  private Reply greet(NodeRequest.Hello hello) {
    Optional<ClusterId> ours = cluster();
    return ours.isPresent() && hello.cluster().isPresent() && !ours.equals(hello.cluster())
        ? new Failure.WrongCluster(ours.get())
        : new NodeReply.Welcome(FrameCodec.NEWEST_VERSION, ours, server);
  }

  private Optional<ClusterId> cluster() {
    return layoutServer
        .flatMap(LayoutServer::newestLayout)
        .map(Layout::clusterId)
        .or(() -> logUnit.flatMap(LogUnit::clusterId));
  }

  @Override
  public void turnEnded() {
    sequencer.ifPresent(Role::turnEnded);
    logUnit.ifPresent(Role::turnEnded);
    layoutServer.ifPresent(Role::turnEnded);
  }

  /** The process is dead; its memory is needed for the others. */
  void abandon() {
    logUnit.ifPresent(LogUnit::abandon);
  }

  /** Ends the roles in good order. */
  void close() {
    logUnit.ifPresent(LogUnit::close);
    layoutServer.ifPresent(LayoutServer::close);
  }
}
