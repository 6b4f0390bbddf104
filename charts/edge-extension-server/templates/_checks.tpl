{{/* What cannot work is said here, all of it at once, and not by pods that do not start. */}}
{{- define "app.check" -}}
{{- $problems := include "edge.problems" . | fromYamlArray -}}
{{- $config := .Values.config -}}
{{- $tls := $config.tls -}}
{{- $certificates := .Values.certificates -}}

{{- if not $config.gatewayClasses -}}
{{- $problems = append $problems "config.gatewayClasses: name the GatewayClasses of your Envoy Gateways: no other Gateway is stamped" -}}
{{- end -}}
{{- if not $tls.hookClients -}}
{{- $problems = append $problems "config.tls.hookClients: say which name is in Envoy Gateway's client certificate: nobody else may call" -}}
{{- end -}}
{{- range $tls.hookClients | default list | concat $tls.reportClients -}}
{{- if contains "*" . -}}
{{- $problems = append $problems (printf "config.tls: %q is a wildcard: callers are named one by one" .) -}}
{{- end -}}
{{- end -}}
{{- if not (or $certificates.server.secret (and $tls.certificate $tls.key $tls.ca)) -}}
{{- $problems = append $problems "certificates.server.secret: name the Secret with the certificate, or mount a volume of your own and put its paths into config.tls.certificate, key and ca" -}}
{{- end -}}
{{- if and $certificates.server.secret (or $tls.certificate $tls.key) -}}
{{- $problems = append $problems "certificates.server.secret and config.tls: both say where the certificate is; leave one out" -}}
{{- end -}}
{{- if and $certificates.clients.secret $tls.ca -}}
{{- $problems = append $problems "certificates.clients.secret and config.tls.ca: both say whose clients are believed; leave one out" -}}
{{- end -}}
{{- $ports := dict "config.healthPort" (toString $config.healthPort) "config.metricsPort" (toString $config.metricsPort) -}}
{{- range list "hook" "report" -}}
{{- $port := include "edge-extension-server.port" (get $config .).listen -}}
{{- $_ := set $ports (printf "config.%s.listen" .) $port -}}
{{- if not $port -}}
{{- $problems = append $problems (printf "config.%s.listen: others come to a pod by its address: want one of :PORT, 0.0.0.0:PORT and [::]:PORT" .) -}}
{{- end -}}
{{- end -}}
{{- if ne (len (values $ports | uniq)) 4 -}}
{{- $problems = append $problems (printf "%s: each needs a port of its own" (keys $ports | sortAlpha | join ", ")) -}}
{{- end -}}
{{- if $config.withRetranslator -}}
{{- $report := get $ports "config.report.listen" -}}
{{- if and $report (ne $report (toString $config.reports.port)) -}}
{{- $problems = append $problems (printf "config.reports.port: the replicas report on port %s (config.report.listen)" $report) -}}
{{- end -}}
{{- if and $config.kubeconfig (not (or $config.reports.service $config.reports.addresses)) -}}
{{- $problems = append $problems "config.reports: with config.kubeconfig the replicas are in another cluster than their Gateways; say by config.reports.service or addresses where they are" -}}
{{- end -}}
{{- end -}}
{{- with dig "limits" "memory" "" .Values.resources -}}
{{- $bytes := include "lifeline.bytes" . -}}
{{- $least := mul 8 (int64 $config.hook.messageLimitBytes) -}}
{{- if and $bytes (lt (int64 $bytes) $least) -}}
{{- $problems = append $problems (printf "resources.limits.memory: %s is less than eight times config.hook.messageLimitBytes: want %dMi at least" (toString .) (div (add $least 1048575) 1048576)) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.networkPolicy.enabled (not .Values.networkPolicy.hookFrom) -}}
{{- $problems = append $problems "networkPolicy.hookFrom: name who calls the hook: Envoy Gateway's namespace and pods" -}}
{{- end -}}
{{- with .Values.envoyProxy -}}
{{- if and .create (not (and .tunnelGateway.host .tunnelGateway.port)) -}}
{{- $problems = append $problems "envoyProxy.tunnelGateway: say host and port of the tunnel gateway" -}}
{{- end -}}
{{- end -}}

{{- include "lifeline.failWith" (toYaml $problems) -}}
{{- end -}}
