package workload

import "strings"

// words are short, common English words: nearly every tokenizer gives each of them one token.
var words = strings.Fields(`
time year people way day man thing woman life child world school state family student group country problem hand part place case week
company system program question work government number night point home water room mother area money story fact month lot right study
book eye job word business issue side kind head house service friend father power hour game line end member law car city community name
president team minute idea body information back parent face others level office door health person art war history party result change
morning reason research girl guy moment air teacher force education foot boy age policy process music market sense nation plan college
interest death experience effect use class control field development role effort rate heart drug show leader light voice wife police
mind price report decision son view relationship town road arm difference value building action season society tax director position
player record paper space ground form event official matter center couple site project activity star table need court oil situation
cost industry figure street image phone data picture practice piece land product doctor wall patient worker news test movie north love
step baby computer type attention film tree source hair look window culture chance brother energy period course summer plant term
opportunity letter condition choice rule south husband floor campaign material population call economy hospital church risk fire
future bank west sport board subject officer rest behavior performance fight top goal second bed order author blood agency nature
color store sound movement page race concern series language response animal factor decade article east artist scene stock career
treatment approach size dog fund media sign thought list individual quality pressure answer resource meeting disease success cup amount
ability staff character growth loss degree attack region television box training trade deal election feeling standard bill message
analysis benefit sex lawyer section glass skill sister professor operation crime stage authority design knowledge gun station strategy
truth song example environment leg dark public purpose river machine garden bird snow wind stone bridge island mountain forest bread`)
