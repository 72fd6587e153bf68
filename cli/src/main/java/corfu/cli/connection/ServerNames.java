package corfu.cli.connection;

import corfu.node.local.LocalServer;
import corfu.protocol.Endpoint;
import corfu.protocol.message.NodeReply;
import corfu.runtime.ServerReport;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What people call servers: by their names, as far as those are known, else by their addresses. */
public record ServerNames(Map<Endpoint, String> names) {

  public ServerNames {
    names = Map.copyOf(names);
  }

  /** As the configuration says, and as the servers say of themselves. */
  public static ServerNames of(List<LocalServer> local, List<ServerReport> reports) {
    Map<Endpoint, String> names = new LinkedHashMap<>();
    for (ServerReport report : reports) {
      report.status().map(NodeReply.Status::server).ifPresent(n -> names.put(report.endpoint(), n));
    }
    local.forEach(server -> names.put(server.endpoint(), server.name()));
    return new ServerNames(names);
  }

  /** The same with the names of silent servers, which those that answer know. */
  public ServerNames completedBy(AdminClient admin, List<ServerReport> reports) {
    Map<Endpoint, String> all = new LinkedHashMap<>(names);
    for (ServerReport report : reports) {
      boolean isComplete = reports.stream().map(ServerReport::endpoint).allMatch(all::containsKey);
      if (!isComplete && report.status().isPresent()) {
        admin
            .namesToldBy(report.endpoint())
            .forEach(told -> all.putIfAbsent(told.server(), told.name()));
      }
    }
    return new ServerNames(all);
  }

  public String of(Endpoint server) {
    return names.getOrDefault(server, server.toString());
  }

  public String of(Collection<Endpoint> servers) {
    return servers.stream().map(this::of).collect(Collectors.joining(", "));
  }

  /** The server that is meant by a name or an address. */
  public Optional<Endpoint> find(String text) {
    for (Map.Entry<Endpoint, String> named : names.entrySet()) {
      if (named.getValue().equals(text)) {
        return Optional.of(named.getKey());
      }
    }
    try {
      return Optional.of(Endpoint.parse(text));
    } catch (IllegalArgumentException noAddress) {
      return Optional.empty();
    }
  }

  public List<String> all() {
    return names.values().stream().sorted().toList();
  }
}
