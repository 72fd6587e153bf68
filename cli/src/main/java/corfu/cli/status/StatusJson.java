package corfu.cli.status;

import com.fasterxml.jackson.core.JsonGenerator;
import corfu.cli.output.CommandOutput;
import corfu.node.local.LocalServer;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.layout.Member;
import corfu.protocol.message.Health;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.NodeReply;
import corfu.runtime.ServerReport;
import corfu.transport.tls.TlsStatus;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Prints a cluster's status for scripts, as one object. */
final class StatusJson {

  private final JsonGenerator json;

  private StatusJson(JsonGenerator json) {
    this.json = json;
  }

  static void print(
      CommandOutput out,
      Diagnosis diagnosis,
      Optional<ClusterStatus> view,
      List<LocalServer> local) {
    out.json(generator -> new StatusJson(generator).write(diagnosis, view, local));
  }

  private void write(Diagnosis diagnosis, Optional<ClusterStatus> view, List<LocalServer> local)
      throws IOException {
    json.writeStringField("verdict", diagnosis.verdict().text());
    json.writeStringField("summary", diagnosis.line());
    json.writeArrayFieldStart("troubles");
    for (Diagnosis.Trouble trouble : diagnosis.troubles()) {
      json.writeStartObject();
      json.writeStringField("severity", trouble.severity().text());
      json.writeStringField("text", trouble.text());
      json.writeEndObject();
    }
    json.writeEndArray();
    if (view.isPresent()) {
      writeLayout(view.get().layout(), view.get());
      writeCopying(diagnosis.copying());
      writeSecurity(view.get().security());
    }
    json.writeArrayFieldStart("servers");
    if (view.isPresent()) {
      for (ServerReport report : view.get().reports()) {
        writeServer(view.get(), report);
      }
    }
    for (LocalServer server : view.map(ClusterStatus::strangers).orElse(local)) {
      json.writeStartObject();
      json.writeStringField("server", server.name());
      json.writeStringField("address", server.endpoint().toString());
      writeProcess(server);
      json.writeBooleanField("answers", false);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void writeLayout(Layout layout, ClusterStatus view) throws IOException {
    json.writeStringField("cluster", layout.clusterId().toString());
    json.writeNumberField("epoch", layout.epoch().value());
    json.writeStringField("appends", view.appends().name().toLowerCase(Locale.ROOT));
    if (layout.origin().isPresent()) {
      json.writeStringField("mirrorOf", layout.origin().get().source().toString());
    }
    json.writeNumberField("sequencerCandidates", layout.sequencers().size());
    json.writeNumberField("wantedUnits", layout.wanted().units());
    json.writeNumberField("units", layout.openSegment().units().size());
    json.writeNumberField("wantedReplicas", layout.wanted().replicas());
    json.writeNumberField("wantedStreamReplicas", layout.wanted().streamReplicas());
    json.writeNumberField("spares", layout.spares().size());
    json.writeNumberField("usableSpares", view.usableSpares().size());
    json.writeArrayFieldStart("segments");
    for (LayoutSegment segment : layout.segments()) {
      json.writeStartObject();
      json.writeNumberField("start", segment.start());
      if (!segment.isOpen()) {
        json.writeNumberField("end", segment.end());
      }
      json.writeNumberField("replicas", fewest(segment.log()));
      json.writeNumberField("streamReplicas", fewest(segment.stream()));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static int fewest(List<Chain> chains) {
    return chains.stream().mapToInt(chain -> chain.replicas().size()).min().orElse(0);
  }

  private void writeCopying(List<SegmentCopy> all) throws IOException {
    json.writeArrayFieldStart("copying");
    for (SegmentCopy one : all) {
      json.writeStartObject();
      json.writeNumberField("start", one.segment().start());
      json.writeNumberField("end", one.segment().end());
      writeEndpoints("from", one.from());
      writeEndpoints("to", one.to());
      json.writeBooleanField("begun", one.progress().isPresent());
      json.writeNumberField("percent", one.percent());
      json.writeNumberField("bytes", one.bytes());
      json.writeNumberField("bytesPerSecond", one.bytesPerSecond());
      var left = SegmentCopy.timeLeft(List.of(one));
      if (left.isPresent()) {
        json.writeNumberField("millisLeft", left.get().toMillis());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void writeEndpoints(String name, Collection<Endpoint> servers) throws IOException {
    json.writeArrayFieldStart(name);
    for (Endpoint server : servers) {
      json.writeString(server.toString());
    }
    json.writeEndArray();
  }

  private void writeServer(ClusterStatus view, ServerReport report) throws IOException {
    Endpoint server = report.endpoint();
    json.writeStartObject();
    json.writeStringField("server", view.names().of(server));
    json.writeStringField("address", server.toString());
    for (LocalServer local : view.local()) {
      if (local.endpoint().equals(server)) {
        writeProcess(local);
      }
    }
    json.writeBooleanField("answers", report.status().isPresent());
    if (report.status().isEmpty()) {
      json.writeStringField("problem", report.problem());
    }
    var seen = view.clusterHealth().of(server);
    json.writeBooleanField("suspected", seen.suspected());
    json.writeNumberField("silentMillis", seen.silentMillis());
    json.writeNumberField("steadyMillis", seen.steadyMillis());
    writeRoles(view.layout(), server, report.status());
    if (report.usage().isPresent()) {
      LogUnitReply.Usage usage = report.usage().get();
      json.writeNumberField("entries", usage.entries());
      json.writeNumberField("liveBytes", usage.liveBytes());
      json.writeNumberField("fileBytes", usage.fileBytes());
      json.writeNumberField("freeBytes", usage.freeBytes());
      json.writeStringField("mode", usage.mode());
    }
    if (report.scrubbed().isPresent()) {
      writeScrub(report.scrubbed().get());
    }
    writeCertificate(view.security(), server);
    json.writeEndObject();
  }

  private void writeSecurity(ConnectionSecurity security) throws IOException {
    if (security.client().isEmpty()) {
      return;
    }
    TlsStatus client = security.client().get();
    json.writeObjectFieldStart("tls");
    json.writeStringField("mode", client.mode().name().toLowerCase(Locale.ROOT));
    json.writeStringField("engine", client.engine());
    if (client.identity().isPresent()) {
      json.writeStringField("identity", client.identity().get().toString());
    }
    if (client.notAfter().isPresent()) {
      json.writeStringField("validTo", client.notAfter().get().toString());
    }
    if (client.authoritiesNotAfter().isPresent()) {
      json.writeStringField("authoritiesValidTo", client.authoritiesNotAfter().get().toString());
    }
    json.writeEndObject();
  }

  private void writeCertificate(ConnectionSecurity security, Endpoint server) throws IOException {
    ConnectionSecurity.ServerCertificate shown = security.servers().get(server);
    if (shown != null) {
      json.writeObjectFieldStart("certificate");
      json.writeStringField("identity", shown.identity().toString());
      json.writeStringField("validTo", shown.notAfter().toString());
      json.writeNumberField("daysLeft", security.daysLeft(server).orElse(0L));
      json.writeEndObject();
    }
  }

  private void writeScrub(LogUnitReply.Scrubbed told) throws IOException {
    json.writeObjectFieldStart("scrub");
    json.writeNumberField("rounds", told.rounds());
    if (told.roundAgeMillis() != LogUnitReply.Scrubbed.NEVER) {
      json.writeNumberField("roundAgeMillis", told.roundAgeMillis());
    }
    json.writeNumberField("readBytes", told.readBytes());
    json.writeNumberField("records", told.records());
    json.writeNumberField("doneBytes", told.doneBytes());
    json.writeNumberField("roundBytes", told.roundBytes());
    json.writeNumberField("found", told.found());
    json.writeNumberField("repaired", told.repaired());
    json.writeNumberField("waiting", told.waiting());
    json.writeStringField("detail", told.detail());
    json.writeEndObject();
  }

  private void writeProcess(LocalServer server) throws IOException {
    var process = server.process();
    if (process.isPresent()) {
      json.writeNumberField("pid", process.get().pid());
    }
  }

  private void writeRoles(Layout layout, Endpoint server, Optional<NodeReply.Status> status)
      throws IOException {
    for (Member member : layout.units()) {
      if (member.endpoint().equals(server)) {
        json.writeBooleanField("spare", layout.spares().contains(server));
        json.writeBooleanField("leaves", member.retiring());
      }
    }
    if (status.isPresent()) {
      json.writeNumberField("epoch", status.get().epoch().value());
      Health health = status.get().health();
      writeRole("sequencer", layout.sequencers().contains(server), health.sequencer());
      writeRole("layoutServer", layout.layoutServers().contains(server), health.layoutServer());
      boolean isUnit = layout.units().stream().anyMatch(member -> member.endpoint().equals(server));
      writeRole("logUnit", isUnit, health.logUnit());
      if (!health.detail().isEmpty()) {
        json.writeStringField("problem", health.detail());
      }
    }
  }

  private void writeRole(String role, boolean isNamed, Health.State state) throws IOException {
    if (isNamed) {
      json.writeStringField(role, state.name().toLowerCase(Locale.ROOT));
    }
  }
}
